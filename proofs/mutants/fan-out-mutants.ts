import type { Mutant } from "./mutant.ts";

const fanOut = "packages/kernel/src/flow/nodes/fan-out";

/** Faults in what runs beside each other, and in what comes of it. */
export const fanOutMutants: readonly Mutant[] = [
  {
    name: "results-as-they-end",
    file: `${fanOut}/join-items.ts`,
    find: "return [...outcomes.entries()].flatMap(([index, outcome]) => {",
    replace:
      "const order = new Map(winners.map((index, at) => [index, at]));\n  return [...outcomes.entries()].sort(([a], [b]) => (order.get(a) ?? a) - (order.get(b) ?? b)).flatMap(([index, outcome]) => {",
  },
  {
    name: "tolerance-rounded-up",
    file: `${fanOut}/judge-join.ts`,
    find: "Math.floor((size.items * tolerate.percent) / 100)",
    replace: "Math.ceil((size.items * tolerate.percent) / 100)",
  },
  {
    name: "one-failure-more-borne",
    file: `${fanOut}/judge-join.ts`,
    find: "errors > borne ||",
    replace: "errors > borne + 1 ||",
  },
  {
    name: "failure-wins",
    file: `${fanOut}/judge-join.ts`,
    find: 'if (item.status === "ok" && !isIdle) winners.push(item.index);',
    replace:
      'if ((item.status === "ok" && !isIdle) || rules.join === "any") winners.push(item.index);',
  },
  {
    name: "quorum-of-one",
    file: `${fanOut}/judge-join.ts`,
    find: 'return join === "any" ? 1 : join.quorum;',
    replace: "return 1;",
  },
  {
    name: "list-longer-than-it-may-be",
    file: `${fanOut}/fix-list.ts`,
    find: "Math.min(max, spread",
    replace: "Math.max(max, spread",
  },
  {
    name: "one-at-a-time",
    file: `${fanOut}/run-fan-out.ts`,
    find: "limit: node.concurrency,",
    replace: "limit: Math.min(1, node.concurrency),",
  },
  {
    name: "place-kept-while-waiting",
    file: "packages/kernel/src/resume/run-beside.ts",
    find: "if (isInOrder && ",
    replace: "if (",
  },
  {
    name: "run-holds-no-place",
    file: `${fanOut}/run-fan-out.ts`,
    find: "share !== undefined && isHanded,",
    replace: "share !== undefined && isHanded && false,",
  },
  {
    name: "withdrawn-runs-go-on",
    file: "packages/host/src/deliver/deliver.ts",
    find: "run.isCancelled || handoff.isWithdrawn === true",
    replace: "run.isCancelled",
  },
];
