import { type EventLog, READ_EVENTS_MAX } from "@turnseal/ports";
import { readEvents } from "../../projection/load-projection.ts";
import type { RunProjection } from "../../projection/run-projection.ts";
import { type Cause, describeCause, type FailedRequest } from "./describe-cause.ts";
import { followReports, type TurnReport } from "./follow-reports.ts";

/** Why the last turn of a run failed, where a model did, and what to do about it. */
export type FailureCause = FailedRequest & Cause;

/** The request that has failed a turn is among its last events: no more of the log is read. */
export async function findCause(
  log: EventLog,
  { run, sequence, lastTurn }: RunProjection,
): Promise<FailureCause | undefined> {
  const isFailed = lastTurn?.outcome === "failed" || lastTurn?.outcome === "timed-out";
  if (!isFailed) return undefined;
  const report = followReports();
  let last: TurnReport | undefined;
  for await (const event of readEvents(log, run, Math.max(1, sequence - READ_EVENTS_MAX + 1)))
    last = report(event) ?? last;
  const described = describeCause(last?.cause);
  return last?.cause && described && { ...last.cause, ...described };
}
