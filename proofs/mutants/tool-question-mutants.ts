import type { Mutant } from "./mutant.ts";

/** Faults in the question of a tool that needs an answer before it acts. */
export const toolQuestionMutants: readonly Mutant[] = [
  {
    name: "tool-question-unchecked",
    file: "packages/kernel/src/actions/tool-question.ts",
    find: "return findQuestionFault(asks) ?? findSchemaFault(schema);",
    replace: "return undefined;",
  },
  {
    name: "tool-question-counts-an-effect",
    file: "packages/kernel/src/journal/end-action.ts",
    find: "reason: undefined, retry, isUndone: true, asks };",
    replace: "reason: undefined, retry, isUndone: false, asks };",
  },
  {
    name: "tool-state-lost",
    file: "packages/kernel/src/gate/ask-for-tool.ts",
    find: "...(state === undefined ? {} : { state }) };",
    replace: "};",
  },
  {
    name: "tool-answer-unchecked",
    file: "packages/host/src/inbox/draft-decision.ts",
    find: "return problem === undefined ? undefined :",
    replace: "return problem !== null ? undefined :",
  },
  {
    name: "tool-answer-by-its-output",
    file: "packages/host/src/inbox/draft-decision.ts",
    find: "if (!isOfTool(request)) return findMisfit(registry, request, answer);",
    replace: "return findMisfit(registry, request, answer);",
  },
  {
    name: "tool-answer-not-shown",
    file: "packages/kernel/src/tools/run-tool.ts",
    find: "request: continued === undefined ? input : { input, answer: continued.answered.answer },",
    replace: "request: input,",
  },
  {
    name: "tool-question-without-role",
    file: "packages/kernel/src/gate/ask-for-tool.ts",
    find: "...(role === undefined ? {} : { role }),",
    replace: "",
  },
  {
    name: "tool-question-without-end",
    file: "packages/kernel/src/gate/ask-for-tool.ts",
    find: "...(withinMs === undefined ? {} : { withinMs }),",
    replace: "",
  },
  {
    name: "tool-questions-without-number",
    file: "packages/kernel/src/journal/turn-journal.ts",
    find: "questions >= TOOL_QUESTIONS_MAX",
    replace: "questions >= TOOL_QUESTIONS_MAX * 2",
  },
  {
    name: "question-of-no-claim",
    file: "packages/kernel/src/gate/ask-question.ts",
    find: "...(of === undefined ? {} : { claim: of.claim }),",
    replace: "",
  },
  {
    name: "continued-attempt-unmarked",
    file: "packages/kernel/src/tools/run-tool.ts",
    find: "...(continued === undefined ? {} : { answers: continued.claim }),",
    replace: "",
  },
];
