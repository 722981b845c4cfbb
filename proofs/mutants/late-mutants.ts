import type { Mutant } from "./mutant.ts";

const words = [
  "late-words/abandon",
  "late-words/crash",
  "late-words/happened",
  "late-words/never",
  "late-words/other-messages-stay",
  "late-words/second-word",
  "late-words/words-past-the-door",
];

const stop = "packages/protocol/src/verify/follow-stop.ts";

/** Faults in resolutions of an action after its run has stopped. */
export const lateMutants: readonly Mutant[] = [
  {
    name: "late-word-is-not-heard",
    file: "packages/host/src/inbox/take-late-resolutions.ts",
    find: "if (projection().stopped === null || ",
    replace: "if (projection().stopped !== null || ",
    fails: words,
  },
  {
    name: "late-word-is-heard-again",
    file: "packages/folds/src/projection/unknown-ends.ts",
    find: "isHandoff !== true && said === undefined",
    replace: "isHandoff !== true",
    fails: words,
  },
  {
    name: "late-retry-counts",
    file: "packages/protocol/src/resolutions.ts",
    find: '["happened", "never", "abandon"] as const',
    replace: '["happened", "never", "abandon", "retry"] as const',
    fails: ["late-words/retry", "late-words/words-past-the-door", "receipt/late-retried"],
  },
  {
    name: "late-word-of-nobody-counts",
    file: "packages/host/src/inbox/draft-resolution.ts",
    find: 'if (by.id === "") return "identity-missing";',
    replace: "",
    fails: ["late-words/words-past-the-door"],
  },
  {
    name: "told-after-the-stop",
    file: "packages/host/src/advance.ts",
    find: "projection().stopped === null && (await takeInbox(firstLook))",
    replace: "(await takeInbox(firstLook))",
    fails: [
      "late-words/crash",
      "late-words/other-messages-stay",
      "late-words/retry",
      "late-words/second-word",
      "late-words/settled",
      "late-words/words-past-the-door",
      "signals/after-the-end",
    ],
  },
  {
    name: "said-twice-passes",
    file: stop,
    find: "left.delete(named);",
    replace: "",
    fails: ["receipt/late-said-twice"],
  },
  {
    name: "word-on-what-is-settled-passes",
    file: stop,
    find: "open.delete(",
    replace: "(() => {})(",
    fails: ["receipt/late-resolved", "receipt/late-settled"],
  },
  {
    name: "unbound-late-word-passes",
    file: stop,
    find: " && isBoundTo(claim, event)",
    replace: "",
    fails: [
      "receipt/late-by-the-excluded",
      "receipt/late-of-another-hash",
      "receipt/late-without-the-role",
    ],
  },
];
