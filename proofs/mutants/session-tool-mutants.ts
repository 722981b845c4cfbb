import type { Mutant } from "./mutant.ts";

/** Faults in the tools of sessions, and in requests to people. */
export const sessionToolMutants: readonly Mutant[] = [
  {
    name: "tool-calls-by-the-providers-id",
    file: "packages/views/src/session/apply-answer.ts",
    find: "`$" + "{textOf(toolCallId)}@$" + "{place.place}`",
    replace: "`$" + "{textOf(toolCallId)}@1`",
  },
  {
    name: "rejection-not-marked",
    file: "packages/views/src/session/describe-tool.ts",
    find: "...(isUserRejection ? { isUserRejection } : {}),",
    replace: "",
  },
  {
    name: "every-error-a-rejection",
    file: "packages/views/src/session/describe-tool.ts",
    find: "...(isUserRejection ? { isUserRejection } : {}),",
    replace: "isUserRejection: true,",
  },
  {
    name: "read-only-forgotten",
    file: "packages/views/src/session/describe-tool.ts",
    find: "...(readOnly === null ? {} : { readOnly }),",
    replace: "",
  },
  {
    name: "output-forgotten",
    file: "packages/views/src/session/describe-tool.ts",
    find: '...(typeof output === "string" ? { output } : {}),',
    replace: "",
  },
  {
    name: "rejection-shown-as-approval",
    file: "packages/views/src/session/tool-approval.ts",
    find: 'if (choice === "reject") return { ...approval, status: "rejected" };',
    replace: 'if (choice === "reject") return { ...approval, status: "approved" };',
  },
  {
    name: "words-of-the-tool-not-shown",
    file: "packages/views/src/session/tool-approval.ts",
    find: 'typeof written === "string" ? written :',
    replace: 'typeof written === "number" ? written :',
  },
  {
    name: "unknown-tool-is-an-error",
    file: "packages/views/src/session/tell-handlers.ts",
    find: 'content.error === "TOOL_UNKNOWN"',
    replace: 'content.error === ""',
  },
  {
    name: "null-asks",
    file: "packages/protocol/src/approval/tool-gate.ts",
    find: 'if (answer === null) return { kind: "run", why: "not-needed" };',
    replace: "",
  },
  {
    name: "silence-is-consent",
    file: "packages/protocol/src/approval/tool-gate.ts",
    find: 'readOnly ? { kind: "run"',
    replace: 'name !== "" ? { kind: "run"',
  },
];
