import type { Mutant } from "./mutant.ts";

/** Faults in who may say yes, and in what becomes of a question that nobody answers. */
export const peopleMutants: readonly Mutant[] = [
  {
    name: "compensation-not-told",
    file: "packages/kernel/src/actions/compensation-facts.ts",
    find: "if (compensation !== undefined) return { compensation };",
    replace: "if (compensation !== undefined) return {};",
    fails: ["approvals/says-what-takes-it-back"],
  },
  {
    name: "irreversible-not-told",
    file: "packages/kernel/src/actions/compensation-facts.ts",
    find: "return { irreversible: irreversible.slice(0, IRREVERSIBLE_LENGTH_MAX).toWellFormed() };",
    replace: "return {};",
    fails: ["approvals/says-that-it-is-final"],
  },
  {
    name: "rejection-like-a-denial",
    file: "packages/kernel/src/flow/call-tools.ts",
    find: "...(isDeclined(outcome.error) ? { denial: DECLINED } : {}),",
    replace: "",
    fails: ["approvals/rejected-with-words"],
  },
  {
    name: "rejection-without-words",
    file: "packages/kernel/src/gate/gate.ts",
    find: 'return typeof words === "string" ? { ...refusal, reason: cutReason(words) } : refusal;',
    replace: "return refusal;",
    fails: ["approvals/rejected-with-words"],
  },
  {
    name: "excluded-may-approve",
    file: "packages/protocol/src/approval/approval.ts",
    find: 'if (choice === "approve" && excluded.includes(by.id)) return "person-excluded";',
    replace: "",
    fails: [
      "receipt-governed/approved-by-the-editor",
      "receipt-governed/approved-by-the-starter",
      "separation/edited-to-what-would-be-allowed",
      "separation/editor-does-not-approve",
      "separation/excluded-by-another-rule",
      "separation/sender-of-the-signal-does-not-approve",
      "separation/starter-above-does-not-approve-below",
      "separation/starter-does-not-approve",
    ],
  },
  {
    name: "starters-not-handed-down",
    file: "packages/host/src/deliver/deliver.ts",
    find: "...(starters.length === 0 ? {} : { starters }),",
    replace: "",
    fails: ["separation/starter-above-does-not-approve-below"],
  },
  {
    name: "editors-not-excluded",
    file: "packages/protocol/src/approval/approval.ts",
    find: '...(exclude.includes("editor") ? editors : []),',
    replace: "",
    fails: [
      "receipt-governed/editor-not-excluded",
      "separation/edited-to-what-would-be-allowed",
      "separation/editor-does-not-approve",
    ],
  },
  {
    name: "trigger-not-compared",
    file: "packages/protocol/src/verify/follow-triggers.ts",
    find: "return isNamed && canonicalize(starters ?? null) === canonicalize(people);",
    replace: "return true;",
    fails: [
      "receipt-governed/starters-left-out",
      "receipt-governed/starters-of-others",
      "receipt-governed/trigger-by-somebody-else",
      "receipt-governed/trigger-of-another-event",
    ],
  },
  {
    name: "left-behind-expires",
    file: "packages/kernel/src/gate/gate.ts",
    find: "isOpen || (await wasLeftBehind(step))",
    replace: "isOpen",
    fails: ["approvals/left-behind"],
  },
  {
    name: "question-left-behind-expires",
    file: "packages/kernel/src/gate/ask-question.ts",
    find: "isOpen || (await wasLeftBehind({ recorded, frame }))",
    replace: "isOpen",
    fails: ["questions/left-behind"],
  },
];
