/** Trees and sets of receipts that do not fit together. */
import type { JsonObject } from "@turnseal/protocol";
import type { Random } from "../fuzz/random.ts";
import { readStatement, signAgain } from "../vectors/family.ts";
import type { MadeRun } from "../vectors/seal-events.ts";

type SetSpoil = (receipts: readonly string[], random: Random) => readonly string[];
type TreeSpoil = (runs: readonly MadeRun[], random: Random) => readonly MadeRun[];

/** Fields by which receipts name each other, with another receipt's values. */
const naming = ["previous", "parent", "turn", "run", "effects"];

const restate: SetSpoil = (receipts, random) => {
  const index = random.below(receipts.length);
  const [text, other] = [receipts[index], random.pick(receipts)];
  if (text === undefined || other === undefined) return receipts;
  const name = random.pick(naming);
  const { [name]: value = null } = readStatement(other).predicate;
  return receipts.with(index, signAgain(text, { [name]: value }).text);
};

/** An effect of a receipt without what names its child's end, or as if it had ended. */
const changeEffects: SetSpoil = (receipts, random) => {
  const handing = [...receipts.keys()].filter((index) =>
    readEffects(receipts[index] ?? "").some((effect) => "child" in effect),
  );
  if (handing.length === 0) return receipts;
  const index = random.pick(handing);
  const text = receipts[index] ?? "";
  const effects = readEffects(text).map((effect) => {
    const { receipt: _, ...rest } = effect;
    return random.pick([rest, { ...effect, child: "nobody" }, effect]);
  });
  return receipts.with(index, signAgain(text, { effects }).text);
};

function readEffects(text: string): JsonObject[] {
  const { effects } = readStatement(text).predicate;
  return Array.isArray(effects) ? (effects as JsonObject[]) : [];
}

export const SET_SPOILS: readonly SetSpoil[] = [
  (receipts, random) => receipts.toSpliced(random.below(receipts.length), 1),
  (receipts, random) => [...receipts, random.pick(receipts)],
  (receipts) => receipts.toReversed(),
  (receipts, random) => receipts.with(random.below(receipts.length), "{}"),
  restate,
  restate,
  changeEffects,
  changeEffects,
];

export const TREE_SPOILS: readonly TreeSpoil[] = [
  (runs, random) => runs.toSpliced(random.below(runs.length), 1),
  (runs, random) => [...runs, random.pick(runs)],
  (runs) => runs.toReversed(),
  (runs, random) =>
    change(runs, random, (run) => ({ ...run, receipts: run.receipts.slice(0, -1) })),
  (runs, random) =>
    change(runs, random, (run) => ({
      ...run,
      events: run.events.slice(0, random.below(run.events.length) + 1),
    })),
  (runs, random) => change(runs, random, (run) => ({ ...run, events: run.events.toReversed() })),
  (runs, random) => {
    const run = random.pick(runs);
    const receipts =
      run.receipts.length === 0
        ? []
        : SET_SPOILS[random.below(SET_SPOILS.length)]?.(run.receipts, random);
    return runs.map((other) => (other === run ? { ...run, receipts: receipts ?? [] } : other));
  },
];

function change(
  runs: readonly MadeRun[],
  random: Random,
  make: (run: MadeRun) => MadeRun,
): readonly MadeRun[] {
  const index = random.below(runs.length);
  return runs.map((run, place) => (place === index ? make(run) : run));
}
