import type { Mutant } from "./mutant.ts";

/** Faults in who may say yes, and in what becomes of a question that nobody answers. */
export const peopleMutants: readonly Mutant[] = [
  {
    name: "compensation-not-told",
    file: "packages/kernel/src/actions/compensation-facts.ts",
    find: "if (compensation !== undefined) return { compensation };",
    replace: "if (compensation !== undefined) return {};",
  },
  {
    name: "irreversible-not-told",
    file: "packages/kernel/src/actions/compensation-facts.ts",
    find: "return { irreversible: irreversible.slice(0, IRREVERSIBLE_LENGTH_MAX).toWellFormed() };",
    replace: "return {};",
  },
  {
    name: "rejection-like-a-denial",
    file: "packages/kernel/src/flow/call-tools.ts",
    find: "...(isDeclined(outcome.error) ? { denial: DECLINED } : {}),",
    replace: "",
  },
  {
    name: "rejection-without-words",
    file: "packages/kernel/src/gate/gate.ts",
    find: 'return typeof words === "string" ? { ...refusal, reason: cutReason(words) } : refusal;',
    replace: "return refusal;",
  },
  {
    name: "excluded-may-approve",
    file: "packages/protocol/src/approval/approval.ts",
    find: 'if (choice === "approve" && excluded.includes(by.id)) return "person-excluded";',
    replace: "",
  },
  {
    name: "starters-not-handed-down",
    file: "packages/host/src/deliver/deliver.ts",
    find: "...(starters.length === 0 ? {} : { starters }),",
    replace: "",
  },
  {
    name: "editors-not-excluded",
    file: "packages/protocol/src/approval/approval.ts",
    find: '...(exclude.includes("editor") ? editors : []),',
    replace: "",
  },
  {
    name: "trigger-not-compared",
    file: "packages/protocol/src/verify/follow-triggers.ts",
    find: "return isNamed && canonicalize(starters ?? null) === canonicalize(people);",
    replace: "return true;",
  },
  {
    name: "left-behind-expires",
    file: "packages/kernel/src/gate/gate.ts",
    find: "isOpen || (await wasLeftBehind(step))",
    replace: "isOpen",
  },
  {
    name: "question-left-behind-expires",
    file: "packages/kernel/src/gate/ask-question.ts",
    find: "isOpen || (await wasLeftBehind({ recorded, frame }))",
    replace: "isOpen",
  },
];
