import type { Mutant } from "./mutant.ts";

const thread = "packages/kernel/src/thread";

/** Faults in what is shown of a thread, to whom, and past the rounds of a turn. */
export const shownMutants: readonly Mutant[] = [
  {
    name: "words-said-again-past-the-rounds",
    file: `${thread}/open-thread.ts`,
    find: "if (!continues || isEmpty || ",
    replace: "if (true || ",
  },
  {
    name: "going-on-is-a-failure",
    file: "packages/folds/src/projection/apply-event.ts",
    find: "countFailures(run, isPastRounds || outage !== undefined, isFine)",
    replace: "countFailures(run, outage !== undefined, isFine)",
  },
  {
    name: "going-on-not-recorded",
    file: "packages/kernel/src/turn/run-turn.ts",
    find: "...(continues ? { continues } : {}),",
    replace: "",
  },
  {
    name: "going-on-without-a-thread",
    file: "packages/host/src/messages/start-message.ts",
    find: 'if (!hasThread && onRoundsExhausted === "continue")',
    replace: "if (false)",
  },
  {
    name: "summaries-beside-a-thread",
    file: "packages/host/src/messages/start-message.ts",
    find: "if (hasThread && summaries > 0)",
    replace: "if (false)",
  },
  {
    name: "left-out-one-by-one",
    file: `${thread}/strategies/block.ts`,
    find: "const HALF = 0.5;",
    replace: "const HALF = 1;",
  },
  {
    name: "left-out-and-sent",
    file: `${thread}/plan-request.ts`,
    find: "leftCount === 0 ? sent : sent.slice(leftCount)",
    replace: "sent",
  },
  {
    name: "left-out-and-kept-at-hand",
    file: `${thread}/thread.ts`,
    find: "sent.splice(0, leftCount);",
    replace: "",
  },
  {
    name: "left-out-and-read-back",
    file: "packages/folds/src/thread/numbered-entries.ts",
    find: ".filter(({ number }) => number >= first)",
    replace: ".filter(({ number }) => number >= first * 0)",
  },
  {
    name: "newest-words-left-out",
    file: `${thread}/strategies/newest-words.ts`,
    find: "newest.number >= from ? [] : [newest.message]",
    replace: "newest.number >= from ? [] : []",
  },
  {
    name: "call-parted-from-its-result",
    file: `${thread}/strategies/block.ts`,
    find: 'entries[dropped]?.message.role !== "tool"',
    replace: "entries[dropped]?.message.role !== undefined",
  },
  {
    name: "not-said-what-was-left-out",
    file: `${thread}/strategies/flat.ts`,
    find: "[...before, marked, ...",
    replace: "[...before, ...",
  },
  {
    name: "too-large-and-sent",
    file: `${thread}/open-thread.ts`,
    find: "return contextTokens > tokensMax\n",
    replace: "return contextTokens < 0\n",
  },
  {
    name: "thoughts-sent-to-another-model",
    file: "packages/folds/src/thread/foreign-answers.ts",
    find: 'if (part.kind === "reasoning") return [];',
    replace: 'if (part.kind === "reasoning") return [part];',
  },
  {
    name: "thoughts-not-sent-back",
    file: "packages/folds/src/thread/foreign-answers.ts",
    find: "const { by: _, ...answer } = message;",
    replace:
      'const content = message.content.filter(({ kind }) => kind !== "reasoning");\n  const { by: _, ...answer } = { ...message, content };',
  },
  {
    name: "feedback-not-taken-in",
    file: "packages/host/src/inbox/take-inbox.ts",
    find: 'typeof name === "string" && names.has(name),',
    replace: "names.size === 0,",
  },
  {
    name: "feedback-said-again",
    file: "packages/kernel/src/flow/run-prompt.ts",
    find: "after = heard.at(-1)?.sequence ?? after;",
    replace: "",
  },
];
