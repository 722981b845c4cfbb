import type { Mutant } from "./mutant.ts";

const stop = "packages/protocol/src/verify/follow-stop.ts";

/** Faults in resolutions of an action after its run has stopped. */
export const lateMutants: readonly Mutant[] = [
  {
    name: "late-word-is-not-heard",
    file: "packages/host/src/inbox/take-late-resolutions.ts",
    find: "if (projection().stopped === null || ",
    replace: "if (projection().stopped !== null || ",
  },
  {
    name: "late-word-is-heard-again",
    file: "packages/folds/src/projection/unknown-ends.ts",
    find: "isHandoff !== true && said === undefined",
    replace: "isHandoff !== true",
  },
  {
    name: "late-retry-counts",
    file: "packages/protocol/src/resolutions.ts",
    find: '["happened", "never", "abandon"] as const',
    replace: '["happened", "never", "abandon", "retry"] as const',
  },
  {
    name: "late-word-of-nobody-counts",
    file: "packages/host/src/inbox/draft-resolution.ts",
    find: 'if (by.id === "") return "identity-missing";',
    replace: "",
  },
  {
    name: "told-after-the-stop",
    file: "packages/host/src/advance.ts",
    find: "projection().stopped === null && (await takeInbox(firstLook))",
    replace: "(await takeInbox(firstLook))",
  },
  {
    name: "said-twice-passes",
    file: stop,
    find: "left.delete(named);",
    replace: "",
  },
  {
    name: "word-on-what-is-settled-passes",
    file: stop,
    find: "open.delete(",
    replace: "(() => {})(",
  },
  {
    name: "unbound-late-word-passes",
    file: stop,
    find: " && isBoundTo(claim, event)",
    replace: "",
  },
];
