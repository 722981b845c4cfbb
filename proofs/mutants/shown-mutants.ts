import type { Mutant } from "./mutant.ts";

const thread = "packages/kernel/src/thread";

/** Faults in what is shown of a thread, to whom, and past the rounds of a turn. */
export const shownMutants: readonly Mutant[] = [
  {
    name: "words-said-again-past-the-rounds",
    file: `${thread}/open-thread.ts`,
    find: "if (!continues || isEmpty || ",
    replace: "if (true || ",
    fails: ["rounds/go-on", "rounds/go-on-after-a-restart", "rounds/turns-count"],
  },
  {
    name: "going-on-is-a-failure",
    file: "packages/host/src/projection/apply-event.ts",
    find: "if (isContinued) return failures;",
    replace: "",
    fails: ["rounds/go-on", "rounds/go-on-after-a-restart", "rounds/turns-count"],
  },
  {
    name: "going-on-not-recorded",
    file: "packages/kernel/src/turn/run-turn.ts",
    find: "...(continues ? { continues } : {}),",
    replace: "",
    fails: ["rounds/go-on", "rounds/go-on-after-a-restart"],
  },
  {
    name: "going-on-without-a-thread",
    file: "packages/host/src/messages/start-message.ts",
    find: 'if (!hasThread && onRoundsExhausted === "continue")',
    replace: "if (false)",
    fails: ["rounds/refused-for-a-tool", "rounds/refused-without-a-thread"],
  },
  {
    name: "summaries-beside-a-thread",
    file: "packages/host/src/messages/start-message.ts",
    find: "if (hasThread && summaries > 0)",
    replace: "if (false)",
    fails: ["rounds/summaries-refused"],
  },
  {
    name: "left-out-one-by-one",
    file: `${thread}/strategies/flat.ts`,
    find: "const HALF = 0.5;",
    replace: "const HALF = 1;",
    fails: ["room/after-a-restart", "room/in-one-block", "room/newest-words-kept"],
  },
  {
    name: "left-out-and-sent",
    file: `${thread}/open-thread.ts`,
    find: "leftCount === 0 ? sent : sent.slice(leftCount)",
    replace: "sent",
    fails: [
      "room/after-a-restart",
      "room/call-not-parted",
      "room/in-one-block",
      "room/interrupted-call-left-out",
      "room/newest-words-kept",
    ],
  },
  {
    name: "left-out-and-kept-at-hand",
    file: `${thread}/thread.ts`,
    find: "sent.splice(0, leftCount);",
    replace: "",
    fails: ["room/in-one-block", "room/newest-words-kept"],
  },
  {
    name: "left-out-and-read-back",
    file: "packages/kernel/src/thread/numbered-entries.ts",
    find: ".filter(({ number }) => number >= first)",
    replace: ".filter(({ number }) => number >= first * 0)",
    fails: ["room/interrupted-call-left-out"],
  },
  {
    name: "newest-words-left-out",
    file: `${thread}/strategies/flat.ts`,
    find: "...(isShown ? [] : [newest.message])",
    replace: "...(isShown ? [] : [])",
    fails: ["room/newest-words-kept"],
  },
  {
    name: "call-parted-from-its-result",
    file: `${thread}/strategies/flat.ts`,
    find: 'entries[dropped]?.message.role !== "tool"',
    replace: "entries[dropped]?.message.role !== undefined",
    fails: ["room/call-not-parted", "room/interrupted-call-left-out", "room/newest-words-kept"],
  },
  {
    name: "not-said-what-was-left-out",
    file: `${thread}/strategies/flat.ts`,
    find: "[noteLeftOut(from + dropped), ...",
    replace: "[...",
    fails: [
      "room/after-a-restart",
      "room/call-not-parted",
      "room/in-one-block",
      "room/interrupted-call-left-out",
      "room/newest-words-kept",
    ],
  },
  {
    name: "too-large-and-sent",
    file: `${thread}/open-thread.ts`,
    find: "return contextTokens > tokensMax\n",
    replace: "return contextTokens < 0\n",
    fails: ["room/too-large"],
  },
  {
    name: "thoughts-sent-to-another-model",
    file: "packages/kernel/src/context/foreign-answers.ts",
    find: 'if (part.kind === "reasoning") return [];',
    replace: 'if (part.kind === "reasoning") return [part];',
    fails: ["models/thoughts-stay-with-their-model"],
  },
  {
    name: "thoughts-not-sent-back",
    file: "packages/kernel/src/context/foreign-answers.ts",
    find: "const { by: _, ...answer } = message;",
    replace:
      'const content = message.content.filter(({ kind }) => kind !== "reasoning");\n  const { by: _, ...answer } = { ...message, content };',
    fails: ["models/thoughts-stay-with-their-model", "words/thoughts"],
  },
];
