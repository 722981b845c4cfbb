import type { RunSnapshot } from "@turnseal/ports";
import type { JsonObject } from "@turnseal/protocol";
import { FOLD, type RunProjection } from "../projection/run-projection.ts";
import { listUnknown } from "../projection/unknown-ends.ts";
import { dues } from "./dues.ts";

/** The state of a run as it is stored, with what others look for: when it is due, who is asked. */
export function toSnapshot(projection: RunProjection): RunSnapshot {
  const { run, sequence, stoppedAt, openTurn } = projection;
  const dueAt = dueOf(projection);
  const asked = (openTurn?.asked ?? []).map((request) => {
    const { sequence: at, id, kind, name, role, askedAt, decideBy } = request;
    return { sequence: at, id, kind, name, role, askedAt, decideBy };
  });
  // What became of an action is asked for, too: from when it should have ended.
  const unknown = listUnknown(projection).map(({ claim, key, name, role, deadlineAt }) => ({
    ...{ sequence: claim, id: key, kind: "unknown", name, role },
    ...{ askedAt: deadlineAt, decideBy: null },
  }));
  const waiting = [...asked, ...unknown].sort((one, other) => one.sequence - other.sequence);
  return {
    run,
    sequence,
    state: { ...(projection as unknown as JsonObject), fold: FOLD },
    ...(dueAt === undefined ? {} : { dueAt }),
    ...(stoppedAt === undefined ? {} : { endedAt: stoppedAt }),
    ...(waiting.length === 0 ? {} : { waiting }),
  };
}

/** By when somebody should look; undefined when only a message can move it. */
function dueOf(projection: RunProjection): string | undefined {
  const owed = dues(projection);
  if (owed.kind === "continue") return projection.lastAt;
  const atMs = owed.kind === "wake" || owed.kind === "wait" ? owed.atMs : undefined;
  return atMs === undefined ? undefined : new Date(atMs).toISOString();
}
