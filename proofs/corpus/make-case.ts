/** One case of the corpus out of a seed: honest, or spoiled in one way or several. */
import { readFileSync } from "node:fs";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { createRandom, type Random } from "../fuzz/random.ts";
import type { Case } from "../tamper/verify-case.ts";
import type { MadeRun } from "../vectors/seal-events.ts";
import { changeRun, type Draft, type TreeDraft } from "./draft.ts";
import { finishTree } from "./finish-tree.ts";
import { makePairRun } from "./grant-pairs.ts";
import { leaveOpen, makeHonestTree } from "./honest-tree.ts";
import { BUNDLE_SPOILS, makeHugeReceipt } from "./spoil-bundle.ts";
import { SPOILS } from "./spoil-drafts.ts";
import { SET_SPOILS, TREE_SPOILS } from "./spoil-set.ts";
import { STRUCTURE_SPOILS } from "./spoil-structure.ts";
import { toDraft } from "./to-draft.ts";

export interface CorpusCase {
  readonly kind: string;
  readonly input: Case;
  /** The verdict that both must give, where it is known: honest runs are not refused. */
  readonly verdict?: "valid" | "open";
}

interface Maker {
  readonly kind: string;
  readonly weight: number;
  readonly make: (random: Random, name: string) => Omit<CorpusCase, "kind">;
}

const keys = [DEMO_KEY];
const RESTATED = { restates: true };

function finishOne(tree: TreeDraft): MadeRun {
  const [run] = finishTree(tree, RESTATED);
  if (run === undefined) throw new Error("a tree has a run");
  return run;
}

interface Vector {
  readonly name: string;
  readonly input: Case;
  readonly expect: { readonly valid: boolean };
}

function readVectors(name: string): readonly Vector[] {
  const file = new URL(`../../spec/vectors/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Runs of the vectors, which a kernel made. */
const kernelRuns = ["valid-runs", "approved-runs", "governed-runs"].flatMap((name) =>
  readVectors(`receipt/${name}`)
    .filter(({ expect, input }) => expect.valid && input.keys[0]?.keyId === DEMO_KEY.keyId)
    .map(({ input }) => input.bundle as MadeRun),
);

/**
 * Cases that chance would hardly make: trees at their limits, a circle, a receipt that is too
 * large.
 */
const rare: readonly CorpusCase[] = [
  ...readVectors("governed-trees/trees"),
  ...readVectors("receipt-set/sets").filter(({ name }) => name.includes("each-other")),
]
  .map(({ input }) => input)
  .concat({ keys, bundle: { ...kernelRuns[0], receipts: [makeHugeReceipt()] } })
  .map((input) => ({ kind: "at a limit", input }));

/** How many trees are made until one has what a spoil changes. */
const TREES_MAX = 12;

function spoilTree(make: () => TreeDraft, random: Random): TreeDraft {
  const spoil = random.pick(SPOILS);
  let tree = make();
  let spoiled = spoilOne(tree, spoil, random);
  for (let left = TREES_MAX; left > 0 && isSame(spoiled, tree); left--) {
    tree = make();
    spoiled = spoilOne(tree, spoil, random);
  }
  for (let left = random.below(3); left > 0; left--)
    spoiled = spoilOne(spoiled, random.pick(SPOILS), random);
  return spoiled;
}

function spoilOne(tree: TreeDraft, spoil: (typeof SPOILS)[number], random: Random): TreeDraft {
  return changeRun(tree, random.below(tree.length), (events) =>
    events.length === 0 ? events : spoil(events, random),
  );
}

function isSame(one: TreeDraft, other: TreeDraft): boolean {
  return one.every(({ events }, index) => events === other[index]?.events);
}

function restructureTree(tree: TreeDraft, random: Random): TreeDraft {
  const pool = tree.flatMap(({ events }) => events);
  return changeRun(tree, random.below(tree.length), (events) =>
    events.length === 0 ? events : random.pick(STRUCTURE_SPOILS)(events, random, pool),
  );
}

/** The tail of a run, with something in it that nobody sealed. */
function forgeTail(events: readonly Draft[], random: Random): readonly Draft[] {
  const open = random.next() < 0.5 ? leaveOpen(random, events) : events;
  const copy = random.pick(events);
  return [...open, { ...copy, id: `${copy.id}-forged` }];
}

const makers: readonly Maker[] = [
  {
    kind: "honest run",
    weight: 10,
    make: (random, name) => ({
      input: { keys, bundle: finishOne(makeHonestTree(random, name, 0)) },
      verdict: "valid",
    }),
  },
  {
    kind: "honest run, still open",
    weight: 3,
    make: (random, name) => {
      const tree = changeRun(makeHonestTree(random, name, 0), 0, (events) =>
        leaveOpen(random, events),
      );
      const bundle = finishOne(tree);
      return {
        input: { keys, bundle },
        ...(bundle.receipts.length === 0 ? {} : { verdict: "open" }),
      };
    },
  },
  {
    kind: "honest tree",
    weight: 8,
    make: (random, name) => ({
      input: { keys, tree: finishTree(makeHonestTree(random, name, 2), RESTATED) },
      verdict: "valid",
    }),
  },
  {
    kind: "honest set",
    weight: 4,
    make: (random, name) => ({
      input: { keys, receipts: listReceipts(makeHonestTree(random, name, 2)) },
      verdict: "valid",
    }),
  },
  {
    kind: "grant in a grant, within or not",
    weight: 15,
    make: (random, name) => ({ input: { keys, bundle: finishOne(makePairRun(random, name)) } }),
  },
  {
    kind: "spoiled run, sealed again",
    weight: 40,
    make: (random, name) => {
      let others: TreeDraft = [];
      const make = (): TreeDraft => {
        const tree = makeHonestTree(random, name, random.below(2));
        others = tree.slice(1);
        return tree.slice(0, 1);
      };
      const tree = [...spoilTree(make, random), ...others];
      const [bundle] = finishTree(tree, { restates: random.next() < 0.85 });
      return { input: { keys, bundle } };
    },
  },
  {
    kind: "spoiled tree, sealed again",
    weight: 15,
    make: (random, name) => {
      const make = () => makeHonestTree(random, name, 1 + random.below(2));
      const tree = spoilTree(make, random);
      return { input: { keys, tree: finishTree(tree, { restates: random.next() < 0.9 }) } };
    },
  },
  {
    kind: "run with its parts exchanged",
    weight: 16,
    make: (random, name) => {
      const tree = restructureTree(makeHonestTree(random, name, 0), random);
      return { input: { keys, bundle: finishOne(tree) } };
    },
  },
  {
    kind: "tree with its parts exchanged",
    weight: 12,
    make: (random, name) => {
      const tree = restructureTree(makeHonestTree(random, name, 2), random);
      return { input: { keys, tree: finishTree(tree, RESTATED) } };
    },
  },
  {
    kind: "run of the kernel with its parts exchanged",
    weight: 12,
    make: (random) => {
      const tree = restructureTree([toDraft(random.pick(kernelRuns))], random);
      return { input: { keys, bundle: finishOne(tree) } };
    },
  },
  {
    kind: "run with a forged tail",
    weight: 4,
    make: (random, name) => {
      const tree = changeRun(makeHonestTree(random, name, 0), 0, (events) =>
        forgeTail(events, random),
      );
      return { input: { keys, bundle: finishOne(tree) } };
    },
  },
  {
    kind: "spoiled export",
    weight: 40,
    make: (random, name) => {
      const bundle = finishOne(makeHonestTree(random, name, 0));
      return { input: random.pick(BUNDLE_SPOILS)({ keys, bundle }, random) };
    },
  },
  {
    kind: "spoiled list of runs",
    weight: 6,
    make: (random, name) => {
      const runs = finishTree(makeHonestTree(random, name, 2), RESTATED);
      return { input: { keys, tree: random.pick(TREE_SPOILS)(runs, random) } };
    },
  },
  {
    kind: "spoiled set",
    weight: 6,
    make: (random, name) => {
      const receipts = listReceipts(makeHonestTree(random, name, 2));
      return { input: { keys, receipts: random.pick(SET_SPOILS)(receipts, random) } };
    },
  },
  {
    kind: "run of the kernel, spoiled and sealed again",
    weight: 20,
    make: (random) => {
      const tree = spoilTree(() => [toDraft(random.pick(kernelRuns))], random);
      return { input: { keys, bundle: finishOne(tree) } };
    },
  },
];

function listReceipts(tree: TreeDraft): string[] {
  return finishTree(tree, RESTATED).flatMap(({ receipts }) => receipts);
}

/** The case of this number; the first ones are those at the limits. */
export function makeCase(seed: number, index: number): CorpusCase {
  const first = rare[index];
  if (first !== undefined) return first;
  const name = `corpus ${seed} ${index}`;
  const random = createRandom(name);
  const total = makers.reduce((sum, { weight }) => sum + weight, 0);
  let left = random.below(total);
  for (const { kind, weight, make } of makers) {
    left -= weight;
    if (left < 0) return { kind, ...make(random, name) };
  }
  throw new Error("a weight is missing");
}
