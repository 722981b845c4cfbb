/** Recorded events, as a stranger reads them: in a run, and in a tree of runs. */
import {
  type RunVerdict,
  type VerifyOptions,
  verifyRun,
  verifyTree,
} from "@turnseal/protocol/receipts";
import { breakWritten } from "../break-text.ts";
import { type Draft, timeAsync } from "../case-report.ts";
import type { Random } from "../random.ts";
import { chainAgain, sealedRuns, trustedKeys } from "../sealed-runs.ts";

const trust: VerifyOptions = { keys: trustedKeys };

/** Breaks the events of a run, most of the time with a chain that is whole again. */
export async function breakEvents(random: Random, draft: Draft): Promise<void> {
  const { run, events: valid, receipts } = random.pick(sealedRuns).bundle;
  const { broken, mutation } = breakWritten(valid, random);
  const isChained = random.next() < 0.7;
  draft.kind = `events${isChained ? ", chained again" : ""}: ${mutation}`;
  const listed: unknown[] = Array.isArray(broken) ? broken : [broken];
  const events = isChained ? chainAgain(listed) : listed;
  draft.subjects.push(events);
  const subject = { run, events, receipts };
  const verdict = await timeAsync(draft, () =>
    random.next() < 0.8 ? verifyRun(subject, trust) : verifyInTree(subject, trust),
  );
  draft.isAccepted = verdict.valid;
  draft.outcomes.push(...(verdict.valid ? ["valid"] : listCodes(verdict)));
  draft.problems.push(...checkVerdict(verdict));
}

async function verifyInTree(
  subject: Parameters<typeof verifyRun>[0],
  options: VerifyOptions,
): Promise<RunVerdict> {
  const { runs, valid } = await verifyTree([subject, ...sealedRuns.map(readBundle)], options);
  const [verdict] = runs;
  if (verdict === undefined) throw new Error("a tree of several runs has no verdict on the first");
  // The tree is wrong when one of its runs is.
  if (valid && !verdict.valid) throw new Error("a tree is valid with a run that is not");
  return verdict;
}

function readBundle({ bundle }: (typeof sealedRuns)[number]): Parameters<typeof verifyRun>[0] {
  return bundle;
}

function listCodes({ findings }: RunVerdict): string[] {
  return [...new Set(findings.map(({ code }) => code))];
}

/** Rules for every verdict. */
export function checkVerdict({ valid, findings, events, firstWrong }: RunVerdict): string[] {
  const problems: string[] = [];
  if (valid !== (findings.length === 0)) problems.push("valid with findings, or not without");
  if (firstWrong !== null && (firstWrong < 1 || firstWrong > events + 1))
    problems.push(`event ${firstWrong} of ${events} is said to be wrong`);
  return problems;
}
