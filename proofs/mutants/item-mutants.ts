import type { Mutant } from "./mutant.ts";

const file = "packages/protocol/src/verify/follow-items.ts";
const fanOut = "packages/kernel/src/flow/nodes/fan-out";

/** Faults in who holds the items of fan-outs to what was fixed. */
export const itemMutants: readonly Mutant[] = [
  {
    name: "open-items-pass",
    file,
    find: "ended === size ||",
    replace: "ended <= Number(size) ||",
  },
  {
    name: "open-items-pass-in-a-failed-call",
    file,
    find: '    case "call.errored":\n',
    replace: "",
  },
  {
    name: "item-ends-before-its-call",
    file,
    find: "(open.get(item) ?? 0) === 0 &&",
    replace: "open !== undefined &&",
  },
  {
    name: "item-ends-before-its-run",
    file,
    find: " && !claimed.has(item)",
    replace: " && claimed !== undefined",
  },
  {
    name: "item-ends-beside-its-run",
    file,
    find: 'end(book, run.item, run.fanOut, "by-itself");\n  return true;',
    replace: "run.fanOut.ended += 1;\n  return true;",
  },
  {
    name: "run-of-no-list",
    file,
    find: "if (fanOut?.share === undefined || !isBelow",
    replace: "if (fanOut?.share === undefined) return true;\n  if (!isBelow",
  },
  {
    name: "run-beyond-its-list",
    file,
    find: "fanOut?.share === undefined || !isBelow(index, fanOut.size)",
    replace: "fanOut?.share === undefined",
  },
  {
    name: "second-run-of-an-item",
    file,
    find: "(book.keys.get(item) ?? key) === key && run.item === item",
    replace: "run.item === item",
  },
  {
    name: "run-of-an-item-that-has-ended",
    file,
    find: "!isItsOwn || !areOpen(book, { item, outer: fanOut.around })",
    replace: "!isItsOwn",
  },
  {
    name: "run-with-more-than-its-share",
    file,
    find: "isCount(most) && amount <= most",
    replace: "isCount(most)",
  },
];

/** Faults in how items end that nobody waits for. */
export const itemEndMutants: readonly Mutant[] = [
  {
    name: "items-without-an-end",
    file: `${fanOut}/run-fan-out.ts`,
    find: "withdraw(fanOut, left);",
    replace: "",
  },
  {
    name: "too-few-are-left-open",
    file: `${fanOut}/run-fan-out.ts`,
    find: "    await withdrawOthers(fanOut);\n    return fail(",
    replace: "    return fail(",
  },
];
