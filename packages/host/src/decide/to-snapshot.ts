import { FOLD, findQuarantined, listUnknown, type RunProjection } from "@turnseal/folds";
import type { RunSnapshot, WaitingRow } from "@turnseal/ports";
import type { JsonObject } from "@turnseal/protocol";
import { dues } from "./dues.ts";

/**
 * How long after its last event a moving run may be silent: longer than a slice, after which
 * another advance follows, and than a message on its way. An action may take until its deadline.
 */
export const SILENT_MS_MAX = 60_000;
/** How much later it is written, so that what comes next need not move it again. */
export const DUE_AHEAD_MS = 120_000;
/** How late it may stay where it could be earlier: after an action with a long deadline. */
export const DUE_LATE_MS_MAX = 900_000;

/**
 * The stored state of a run, with the indexed facts: when it is due, and its open requests. For a
 * moving run, the stored due time stays while it still fits: it is indexed, and a row whose indexed
 * columns stay is replaced on its own page.
 */
export function toSnapshot(projection: RunProjection, storedDueAt?: string): RunSnapshot {
  const { run, sequence, stoppedAt } = projection;
  const dueAt = dueOf(projection, storedDueAt);
  const waiting = listWaiting(projection);
  return {
    run,
    sequence,
    state: { ...(projection as unknown as JsonObject), fold: FOLD },
    ...(dueAt === undefined ? {} : { dueAt }),
    ...(stoppedAt === undefined ? {} : { endedAt: stoppedAt }),
    ...(waiting.length === 0 ? {} : { waiting }),
  };
}

/** The open requests to people, in order of sequence. */
function listWaiting(projection: RunProjection): readonly WaitingRow[] {
  const asked = (projection.openTurn?.asked ?? []).map((request) => {
    const { sequence: at, id, kind, name, role, askedAt, decideBy } = request;
    return { sequence: at, id, kind, name, role, askedAt, decideBy };
  });
  // An unknown action waits for a person, too: since the time when it should have ended.
  const unknown = listUnknown(projection).map(({ claim, key, name, role, deadlineAt }) => ({
    ...{ sequence: claim, id: key, kind: "unknown", name, role },
    ...{ askedAt: deadlineAt, decideBy: null },
  }));
  return [...asked, ...unknown, ...listQuarantined(projection)].sort(
    (one, other) => one.sequence - other.sequence,
  );
}

/** Whether a run goes on that takes workers down, a person decides: it stands by its action. */
function listQuarantined({ run, blocked, openTurn }: RunProjection): readonly WaitingRow[] {
  const quarantined = findQuarantined({ blocked, openTurn });
  const open = openTurn?.open.find(
    ({ name, handoff, isUnknown }) => handoff === null && !isUnknown && name === quarantined?.name,
  );
  if (quarantined === undefined || open === undefined) return [];
  const { name, since: askedAt } = quarantined;
  return [
    {
      ...{ sequence: open.claim, id: run, kind: "quarantined", name, role: null },
      ...{ askedAt, decideBy: null },
    },
  ];
}

/** The latest time for a look; undefined when only a message can move it. */
function dueOf(projection: RunProjection, storedDueAt: string | undefined): string | undefined {
  const owed = dues(projection);
  if (owed.kind === "continue") return dueWhenLimited(projection, storedDueAt);
  const atMs = owed.kind === "wake" || owed.kind === "wait" ? owed.atMs : undefined;
  return atMs === undefined ? undefined : new Date(atMs).toISOString();
}

/** A run whose tenant has reached a limit is due when that is over; any other moves. */
function dueWhenLimited(run: RunProjection, storedDueAt: string | undefined): string {
  const until = run.isCancelled ? undefined : run.blocked?.until;
  return until ?? dueWhileMoving(run, storedDueAt);
}

/** A run that moves is overdue when it is silent for longer than what it does can take. */
function dueWhileMoving(
  { lastAt, openTurn }: RunProjection,
  storedDueAt: string | undefined,
): string {
  const deadlines = (openTurn?.open ?? []).map(({ deadlineAt }) => Date.parse(deadlineAt));
  const neededMs = Math.max(Date.parse(lastAt) + SILENT_MS_MAX, ...deadlines);
  const storedMs = Date.parse(storedDueAt ?? "");
  const isFitting = storedMs >= neededMs && storedMs <= neededMs + DUE_LATE_MS_MAX;
  return isFitting && storedDueAt !== undefined
    ? storedDueAt
    : new Date(neededMs + DUE_AHEAD_MS).toISOString();
}
