/**
 * Verifies a run: its chain of events, and that each receipt says what the events say
 * (spec/receipt.md §6).
 *
 * 1. Events and receipts may come from anywhere: any input gets a verdict.
 * 2. The statement is built again from the events and compared whole, so that no field of a receipt
 *    can differ unnoticed.
 * 3. Events after the last receipt are chained but not sealed: `sealedUntil` says where they begin,
 *    and no verdict calls them valid.
 */
import type { RawEvent } from "../log/raw-event.ts";
import { type BundleContent, checkContent } from "./check-content.ts";
import { type CheckedEvents, checkEvents } from "./check-events.ts";
import { checkSeal } from "./check-seal.ts";
import { type Finding, finding } from "./finding.ts";
import { followApprovals } from "./follow-approvals.ts";
import { followArtifacts } from "./follow-artifacts.ts";
import { followBudget } from "./follow-budget.ts";
import { followCaches } from "./follow-caches.ts";
import { followEffects } from "./follow-effects.ts";
import { followGrants } from "./follow-grants.ts";
import { followGroups } from "./follow-groups.ts";
import { followItems } from "./follow-items.ts";
import { followPlans } from "./follow-plans.ts";
import { followStop } from "./follow-stop.ts";
import { followTakings } from "./follow-takings.ts";
import { followThreads } from "./follow-threads.ts";
import { followTriggers } from "./follow-triggers.ts";
import { followTurns } from "./follow-turns.ts";
import { judgeFindings, type VerdictWord } from "./judge-findings.ts";
import { matchStatement } from "./match-statement.ts";
import { type ReadContent, readerOf } from "./read-content.ts";
import { type VerifiedReceipt, verifyReceipt } from "./verify-receipt.ts";
import type { VerifyOptions } from "./verify-signature.ts";

export interface RunToVerify {
  readonly run: string;
  /** All events of the run, from the first. */
  readonly events: readonly unknown[];
  /** Receipts as they were stored, in any order. */
  readonly receipts: readonly (string | Uint8Array)[];
  readonly content?: BundleContent;
}

export interface RunVerdict {
  readonly verdict: VerdictWord;
  /** True only for the verdict `valid`: every begun turn is sealed. */
  readonly valid: boolean;
  readonly run: string;
  readonly events: number;
  readonly receipts: number;
  /** The last event that a valid receipt vouches for; 0 for none. */
  readonly sealedUntil: number;
  /** The first event that is wrong, or null when none is known to be. */
  readonly firstWrong: number | null;
  readonly findings: readonly Finding[];
}

/** Checks everything that a stranger can check of a run. */
export async function verifyRun(subject: RunToVerify, options: VerifyOptions): Promise<RunVerdict> {
  return (await examineRun(subject, options)).verdict;
}

/** A verdict, and what a tree is held together by. */
export interface ExaminedRun {
  readonly verdict: RunVerdict;
  /** The receipts that are valid in themselves and of this run. */
  readonly receipts: readonly VerifiedReceipt[];
  /** The events; none where the chain is broken. */
  readonly events: readonly RawEvent[];
  /** The last event of the last turn that was closed; 0 for none. */
  readonly closedUntil: number;
}

export async function examineRun(
  subject: RunToVerify,
  options: VerifyOptions,
): Promise<ExaminedRun> {
  const content = checkContent(subject.content);
  const nothing = { receipts: [], events: [], closedUntil: 0 };
  if (subject.events.length === 0)
    return {
      ...nothing,
      verdict: judge(subject, [finding("BUNDLE_MALFORMED", "the run has no event")], 0),
    };
  const checked = checkEvents(subject.run, subject.events);
  const { byTurn, findings } = await collectReceipts(subject, checked, options);
  const receipts = [...byTurn.values()];
  if (checked.kind === "broken")
    return {
      ...nothing,
      receipts,
      verdict: judge(subject, [checked.fault, ...findings, ...content], 0),
    };
  const { events } = checked;
  const { sealedUntil, closedUntil, ...followed } = followRun(events, {
    ...{ receipts: byTurn, read: readerOf(subject.content) },
  });
  const all = [...findings, ...followed.findings, ...checkSeal(events, closedUntil), ...content];
  return { verdict: judge(subject, all, sealedUntil), receipts, events, closedUntil };
}

function judge(
  { run, events, receipts }: RunToVerify,
  findings: readonly Finding[],
  sealedUntil: number,
): RunVerdict {
  // An unsealed event is not wrong for that.
  const wrong = findings.flatMap(({ code, sequence }) =>
    sequence === undefined || unsealed.has(code) ? [] : [sequence],
  );
  const firstWrong = wrong.reduce<number | null>(
    (least, next) => (least === null ? next : Math.min(least, next)),
    null,
  );
  return {
    verdict: judgeFindings(findings),
    valid: findings.length === 0,
    run,
    events: events.length,
    receipts: receipts.length,
    sealedUntil,
    firstWrong,
    findings,
  };
}

const unsealed: ReadonlySet<string> = new Set(["RUN_UNSEALED", "TAIL_UNSEALED"]);

interface CollectedReceipts {
  readonly byTurn: Map<number, VerifiedReceipt>;
  readonly findings: readonly Finding[];
}

/** The receipts of the run that are valid in themselves, by turn. */
async function collectReceipts(
  { run, receipts }: RunToVerify,
  checked: CheckedEvents,
  options: VerifyOptions,
): Promise<CollectedReceipts> {
  const verdicts = await Promise.all(receipts.map((text) => verifyReceipt(text, options)));
  const byTurn = new Map<number, VerifiedReceipt>();
  const findings: Finding[] = [];
  // How far a broken chain reaches is not known.
  const last = checked.kind === "intact" ? checked.events.length : Number.POSITIVE_INFINITY;
  for (const [receipt, verdict] of verdicts.entries()) {
    if (verdict.kind === "invalid") {
      findings.push(...verdict.findings.map((fault) => ({ ...fault, receipt })));
      continue;
    }
    const { turn, run: named, events } = verdict.statement.predicate;
    const place = { turn, receipt };
    if (named !== run)
      findings.push(finding("RECEIPT_UNEXPECTED", "the receipt is of another run", place));
    // The log is older than the receipt: what was sealed has gone.
    else if (events.last > last)
      findings.push(
        finding("RECEIPT_AHEAD", "the turn is sealed, and its events are missing", {
          ...place,
          sequence: last + 1,
        }),
      );
    else if (byTurn.has(turn))
      findings.push(finding("RECEIPT_DUPLICATE", `turn ${turn} has two receipts`, place));
    else byTurn.set(turn, verdict);
  }
  return { byTurn, findings };
}

interface FollowedRun {
  readonly findings: readonly Finding[];
  readonly sealedUntil: number;
  readonly closedUntil: number;
}

interface FollowedGiven {
  readonly receipts: Map<number, VerifiedReceipt>;
  readonly read: ReadContent;
}

function followRun(events: readonly RawEvent[], { receipts, read }: FollowedGiven): FollowedRun {
  const findings: Finding[] = [];
  const [turns, grants, triggers] = [followTurns(), followGrants(), followTriggers()];
  const [threads, stop] = [followThreads(), followStop()];
  const [budget, effects] = [followBudget(), followEffects()];
  const [approvals, caches] = [followApprovals(read), followCaches()];
  const [items, plans, artifacts] = [followItems(), followPlans(), followArtifacts()];
  const [groups, takings] = [followGroups(), followTakings()];
  const seals = followSeals(events, receipts);
  let closedUntil = 0;
  for (const event of events) {
    findings.push(...turns.follow(event), ...triggers.follow(event));
    const place = turns.place();
    findings.push(...grants.follow(event, place));
    const ofCall = grants.place(event, place);
    findings.push(...budget.follow(event, ofCall), ...effects.follow(event, ofCall));
    findings.push(...approvals.follow(event, ofCall), ...caches.follow(event, ofCall));
    findings.push(...threads.follow(event), ...stop.follow(event));
    findings.push(...items.follow(event), ...plans.follow(event), ...artifacts.follow(event));
    findings.push(...groups.follow(event), ...takings.follow(event));
    findings.push(...seals.followDecision(event));
    if (event.type === "turn.closed" && place !== undefined && event.turn === place.turn) {
      closedUntil = event.sequence;
      findings.push(...seals.follow(place.turn, events.slice(place.first - 1, closedUntil)));
    }
  }
  for (const turn of receipts.keys()) {
    findings.push(finding("RECEIPT_UNEXPECTED", `turn ${turn} was never closed`, { turn }));
  }
  return { findings, sealedUntil: seals.sealedUntil(), closedUntil };
}

interface SealFollower {
  follow(turn: number, events: readonly RawEvent[]): Finding[];
  /** Holds what the host decides against the receipt that it names. */
  followDecision(event: RawEvent): Finding[];
  sealedUntil(): number;
}

/** The receipt of a turn; there is no id before the first one. */
interface SealedTurn {
  readonly id: string | undefined;
}

/** Compares each closed turn with its receipt. Compared receipts are removed from the map. */
function followSeals(
  log: readonly RawEvent[],
  receipts: Map<number, VerifiedReceipt>,
): SealFollower {
  let sealedUntil = 0;
  // After a turn without a valid receipt, the predecessor of the next one is unknown.
  const before: SealedTurn = { id: undefined };
  let previous: SealedTurn | undefined = before;
  // Of a turn whose receipt does not fit, that is found already.
  let fitting: SealedTurn | undefined = before;
  return {
    followDecision: ({ type, sequence, content: { receipt } }) => {
      const isNamed = type === "run.decided" && receipt !== null;
      if (!isNamed || fitting === undefined || receipt === fitting.id) return [];
      const message = "the decision names another receipt than that of the last turn";
      return [finding("RECEIPT_MISMATCH", message, { sequence })];
    },
    sealedUntil: () => sealedUntil,
    follow: (turn, events) => {
      const receipt = receipts.get(turn);
      receipts.delete(turn);
      const expected = previous;
      previous = receipt === undefined ? undefined : { id: receipt.id };
      fitting = undefined;
      if (receipt === undefined)
        return [finding("RECEIPT_MISSING", `turn ${turn} has no valid receipt`, { turn })];
      const read = (sequence: number): RawEvent | undefined => log[sequence - 1];
      const match = matchStatement(receipt.statement, { turn: events, sealedUntil, read });
      if (match.kind === "different") {
        const { kind: _, ...place } = match;
        const message = `the receipt of turn ${turn} says other than its events`;
        return [finding("RECEIPT_MISMATCH", message, { turn, ...place })];
      }
      fitting = previous;
      sealedUntil = receipt.statement.predicate.events.last;
      const isNext = receipt.statement.predicate.previous === expected?.id;
      if (isNext || expected === undefined) return [];
      return [finding("RECEIPT_PREVIOUS", `the receipt of turn ${turn} follows another`, { turn })];
    },
  };
}
