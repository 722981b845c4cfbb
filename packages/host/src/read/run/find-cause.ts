import type { RunProjection } from "@turnseal/folds";
import { type EventLog, READ_EVENTS_MAX } from "@turnseal/ports";
import {
  type Cause,
  describeCause,
  type FailedRequest,
  followReports,
  type TurnReport,
} from "@turnseal/views";
import { readEvents } from "../../state/load-projection.ts";

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
