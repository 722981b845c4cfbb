/** Actions that may have happened: of closed turns, with people's resolutions. */
import type { EventOf } from "@turnseal/protocol";
import {
  type OpenClaim,
  type OpenTurn,
  type RunProjection,
  UNKNOWN_ENDS_MAX,
  type UnknownClaim,
  type UnknownEnd,
} from "./run-projection.ts";

/** A read is no effect, and an unread answer of a model changes nothing. */
export function noteUnknownEnds(
  { unknownEnds = [] }: RunProjection,
  open: OpenTurn | null,
): Pick<RunProjection, "unknownEnds"> {
  const left = (open?.open ?? [])
    .filter(({ effect }) => effect !== "read" && effect !== "repeatable")
    .map((claim) => toUnknownEnd(claim, open?.turn ?? 0));
  const all = [...unknownEnds, ...left].slice(-UNKNOWN_ENDS_MAX);
  return all.length === 0 ? {} : { unknownEnds: all };
}

function toUnknownEnd(open: OpenClaim, turn: number): UnknownEnd {
  const { key, claim, hash, name, effect, role, excluded, deadlineAt, handoff } = open;
  return {
    ...{ turn, key, claim, hash, name, effect, role, excluded, deadlineAt },
    ...(handoff === null ? {} : { isHandoff: true }),
  };
}

/** Notes a person's resolution after the run has stopped. */
export function noteLateWord(
  run: RunProjection,
  { actor, at, sequence, content }: EventOf<"run.resolved">,
): RunProjection {
  const { claim, resolution } = content;
  const said = { resolution, by: actor.id, at, sequence };
  const unknownEnds = (run.unknownEnds ?? []).map((end) =>
    end.claim === claim ? { ...end, said } : end,
  );
  return { ...run, unknownEnds };
}

/**
 * The actions that wait for a person's resolution: while the run goes on, those of its open turn.
 * Once it has stopped, those that its turns have left. A handoff's run reports its own end.
 */
export function listUnknown(
  run: Pick<RunProjection, "stopped" | "openTurn" | "unknownEnds">,
): UnknownClaim[] {
  const { stopped, openTurn, unknownEnds = [] } = run;
  if (stopped === null) return (openTurn?.open ?? []).filter(({ isUnknown }) => isUnknown);
  return unknownEnds.filter(({ isHandoff, said }) => isHandoff !== true && said === undefined);
}
