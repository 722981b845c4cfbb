/** Actions that may have happened: what closed turns leave of them, and what people say of them. */
import type { EventOf } from "@turnseal/protocol";
import {
  type OpenClaim,
  type OpenTurn,
  type RunProjection,
  UNKNOWN_ENDS_MAX,
  type UnknownClaim,
  type UnknownEnd,
} from "./run-projection.ts";

/** What only reads is no effect, and a model's answer that was not read changes nothing. */
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

/** What a person said once the run had stopped. */
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
 * The actions that wait for a person's word: while the run goes on, those of its open turn; once it
 * has stopped, those that its turns have left. A run that was handed to says itself how it ended.
 */
export function listUnknown(
  run: Pick<RunProjection, "stopped" | "openTurn" | "unknownEnds">,
): UnknownClaim[] {
  const { stopped, openTurn, unknownEnds = [] } = run;
  if (stopped === null) return (openTurn?.open ?? []).filter(({ isUnknown }) => isUnknown);
  return unknownEnds.filter(({ isHandoff, said }) => isHandoff !== true && said === undefined);
}
