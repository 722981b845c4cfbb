import { type ContentOf, canonicalize, type LoopEvent } from "@turnseal/protocol";
import type { Paused } from "../outcome.ts";
import { formatInstant } from "../values/format-instant.ts";
import type { TurnPorts, TurnRequest, TurnResult, WaitedFor } from "./turn-request.ts";

/** The turn stays open. Its wait is recorded once, and later looks add no event. */
export async function pauseTurn(
  { turn, recorded }: TurnRequest,
  { appender }: TurnPorts,
  paused: Paused,
): Promise<TurnResult> {
  const { untilMs, block, signals, wakesMs } = paused;
  if (block !== undefined) return { kind: "blocked", block };
  const waitedFor = nameWaited(paused);
  const content = {
    for: waitedFor,
    ...(untilMs === undefined ? {} : { until: formatInstant(untilMs) }),
    ...(signals === undefined ? {} : { signals: [...signals] }),
    ...(wakesMs === undefined ? {} : { wakesAt: formatInstant(wakesMs) }),
  };
  const last = recorded.findLast(({ type }) => type !== "turn.resumed");
  if (!isSaid(last, content) || appender.sinceMark().length > 0)
    appender.push(() => ({ type: "turn.waiting", turn, content }));
  await appender.flush();
  return { kind: "waiting", untilMs, for: waitedFor };
}

/** True for the same words, also where the host has added what signals it has looked at. */
function isSaid(last: LoopEvent | undefined, content: ContentOf<"turn.waiting">): boolean {
  if (last?.type !== "turn.waiting") return false;
  const { heard: _, ...said } = last.content;
  return canonicalize(said) === canonicalize(content);
}

function nameWaited({ untilMs, isAsked = untilMs === undefined, signals }: Paused): WaitedFor {
  if (isAsked) return "person";
  return signals === undefined ? "time" : "signal";
}
