import { verifyBundle, verifyReceipt } from "@turnseal/protocol/receipts";
import type { Attack, Attempt } from "./attack.ts";
import { verifyWithPython } from "./python-verifier.ts";
import { agree, type Verdict } from "./verdict.ts";

export interface AttackResult {
  readonly name: string;
  readonly attempts: number;
  readonly rejected: number;
  readonly pythonAttempts: number;
  readonly pythonRejected: number;
  /** Attempts that were rejected for another reason than the attack. */
  readonly wrongCodes: number;
  /** Attempts on which the two verifiers do not agree. */
  readonly disagreed: number;
  readonly codes: readonly string[];
}

/** Makes every attempt on our verifier, and a sample of them on the second one. */
export async function runAttack(attack: Attack, pythonMax: number): Promise<AttackResult> {
  const attempts = [...attack.attempts];
  const verdicts: Verdict[] = [];
  for (const attempt of attempts) verdicts.push(await verifyAttempt(attempt));
  const sample = pickSample(attempts.length, pythonMax);
  const given = sample.flatMap((index) => attempts[index] ?? []);
  const answers = await verifyWithPython(given);
  const ours = await Promise.all(given.map(({ bundle, keys }) => verifyBundle(bundle, { keys })));
  const isWrong = ({ findings }: Verdict): boolean =>
    !findings.some(({ code }) => attack.codes.some((expected) => expected === code));
  const all = [...verdicts, ...answers];
  return {
    name: attack.name,
    attempts: attempts.length,
    rejected: verdicts.filter(({ valid }) => !valid).length,
    pythonAttempts: answers.length,
    pythonRejected: answers.filter(({ valid }) => !valid).length,
    wrongCodes: all.filter(isWrong).length,
    disagreed: ours.filter((verdict, place) => !isSame(verdict, answers[place])).length,
    codes: listCodes(all, attack),
  };
}

function isSame(ours: Verdict, theirs: Verdict | undefined): boolean {
  return theirs !== undefined && agree(ours, theirs);
}

/**
 * A receipt that is not valid is none: where it alone was changed, the events need not be read each
 * time.
 */
async function verifyAttempt({ bundle, keys, receipt }: Attempt): Promise<Verdict> {
  if (receipt === undefined) return verifyBundle(bundle, { keys });
  const verdict = await verifyReceipt(receipt, { keys });
  const findings = verdict.kind === "valid" ? [] : verdict.findings;
  return { verdict: verdict.kind, valid: verdict.kind === "valid", findings };
}

/** Numbers spread evenly, so that the sample is the same every time. */
function pickSample(count: number, max: number): number[] {
  if (count <= max) return Array.from({ length: count }, (_, index) => index);
  return Array.from({ length: max }, (_, index) => Math.floor((index * count) / max));
}

function listCodes(verdicts: readonly Verdict[], { codes }: Attack): string[] {
  const found = new Set(verdicts.flatMap(({ findings }) => findings.map(({ code }) => code)));
  return codes.filter((code) => found.has(code));
}
