import type { Say } from "../../tools/command/progress.ts";
import { AT_ONCE_MAX, openPython, type SecondVerifier } from "../tamper/python-verifier.ts";
import { describeVerdict, type Verdict } from "../tamper/verdict.ts";
import { verifyCase } from "../tamper/verify-case.ts";
import { type CorpusCase, makeCase } from "./make-case.ts";

export interface CorpusResult {
  /** By the kind of case: how many there were, with their verdicts. */
  readonly kinds: ReadonlyMap<string, KindTally>;
  /** By code: in how many cases it was found. */
  readonly codes: ReadonlyMap<string, number>;
  readonly disagreements: readonly Disagreement[];
  /** Honest cases that were not accepted, by number. */
  readonly honestRefused: readonly number[];
  readonly lastVerdict: string;
}

export interface KindTally {
  cases: number;
  refused: number;
  open: number;
}

export interface Disagreement {
  readonly index: number;
  readonly kind: string;
  readonly ours: string;
  readonly theirs: string;
}

interface CorpusOptions {
  readonly seed: number;
  readonly first: number;
  readonly count: number;
  readonly say: Say;
}

/** Makes cases and lets both verifiers judge each. */
export async function runCorpus({ seed, first, count, say }: CorpusOptions): Promise<CorpusResult> {
  const tally = createTally();
  const second = openPython();
  try {
    for (let start = first; start < first + count; start += AT_ONCE_MAX) {
      const length = Math.min(AT_ONCE_MAX, first + count - start);
      const indices = Array.from({ length }, (_, offset) => start + offset);
      await Promise.all(indices.map((index) => judgeCase(seed, index, { second, tally })));
      say(`${start + length - first} of ${count} cases`);
    }
  } finally {
    await second.close();
  }
  return tally;
}

async function judgeCase(
  seed: number,
  index: number,
  { second, tally }: { readonly second: SecondVerifier; readonly tally: Tally },
): Promise<void> {
  const made = makeCase(seed, index);
  const judged = second.judge(made.input);
  const [ours, theirs] = await Promise.all([verifyCase(made.input), judged]);
  addVerdicts(tally, { index, made, ours, theirs });
}

interface Tally extends CorpusResult {
  readonly kinds: Map<string, KindTally>;
  readonly codes: Map<string, number>;
  readonly disagreements: Disagreement[];
  readonly honestRefused: number[];
  lastVerdict: string;
}

function createTally(): Tally {
  const lists = { disagreements: [], honestRefused: [] };
  return { kinds: new Map(), codes: new Map(), ...lists, lastVerdict: "" };
}

interface Verdicts {
  readonly index: number;
  readonly made: CorpusCase;
  readonly ours: Verdict;
  readonly theirs: Verdict;
}

function addVerdicts(tally: Tally, { index, made, ours, theirs }: Verdicts): void {
  const { kind, verdict } = made;
  const counts = tally.kinds.get(kind) ?? { cases: 0, refused: 0, open: 0 };
  counts.cases += 1;
  counts.refused += ours.verdict === "invalid" ? 1 : 0;
  counts.open += ours.verdict === "open" ? 1 : 0;
  tally.kinds.set(kind, counts);
  for (const code of new Set(ours.findings.map((finding) => finding.code)))
    tally.codes.set(code, (tally.codes.get(code) ?? 0) + 1);
  const [one, other] = [describeVerdict(ours), describeVerdict(theirs)];
  if (one !== other) tally.disagreements.push({ index, kind, ours: one, theirs: other });
  if (verdict !== undefined && ours.verdict !== verdict) tally.honestRefused.push(index);
  tally.lastVerdict = one;
}
