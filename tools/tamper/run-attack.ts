import { verifyBundle, verifyReceipt } from "@turnseal/protocol/receipts";
import type { Attack, Attempt } from "./attack.ts";
import { type Verdict, verifyWithPython } from "./python-verifier.ts";

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
    disagreed: answers.filter((answer, place) => !agree(ours[place], answer)).length,
    codes: listCodes(all, attack),
  };
}

/**
 * A receipt that is not valid is none: where it alone was changed, the events need not be read each
 * time.
 */
async function verifyAttempt({ bundle, keys, receipt }: Attempt): Promise<Verdict> {
  if (receipt === undefined) return verifyBundle(bundle, { keys });
  const verdict = await verifyReceipt(receipt, { keys });
  const findings = verdict.kind === "valid" ? [] : verdict.findings;
  return { valid: verdict.kind === "valid", findings };
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

/** Rules of conduct, which the second verifier does not know (spec/receipt.md §6.6). */
const conductPattern = /^(?:APPROVAL|EFFECT|GRANT|PROOF)_/;

/**
 * True when both find the same, but for what only ours looks at; of a receipt that does not match,
 * only ours names an event.
 */
export function agree(ours: Verdict | undefined, theirs: Verdict | undefined): boolean {
  return ours !== undefined && theirs !== undefined && describe(ours) === describe(theirs);
}

function describe({ findings }: Verdict): string {
  return findings
    .filter(({ code }) => !conductPattern.test(code))
    .map(({ code, sequence, turn }) =>
      [code, code === "RECEIPT_MISMATCH" ? undefined : sequence, turn].join(" "),
    )
    .sort()
    .join("; ");
}
