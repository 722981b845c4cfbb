/** Waits of flows for a signal, and the signals that none has taken yet. */
import type { ContentOf, EventOf } from "@turnseal/protocol";
import { type OpenTurn, type RunProjection, SIGNAL_NAMES_MAX } from "./run-projection.ts";
import type { Heard, OpenWait } from "./wait-state.ts";

export function openWait(open: OpenTurn, event: EventOf<"question.asked">): OpenTurn {
  const { sequence, hash, call, parentCall = null, at: askedAt, content } = event;
  const { key, request, path = "", signal: name = "", decideBy = askedAt } = content;
  const wait = { sequence, hash, key, call, parentCall, path, name, askedAt, decideBy, request };
  return { ...open, resumes: 0, lost: 0, waits: [...(open.waits ?? []), wait] };
}

/** Those that are left; nothing where there were none. */
export function keepWaits(
  { waits }: OpenTurn,
  isKept: (wait: OpenWait) => boolean,
): Pick<OpenTurn, "waits"> {
  return waits === undefined ? {} : { waits: waits.filter(isKept) };
}

/** A wait ends when a signal, or time, answers it. */
export function endWait(
  open: OpenTurn,
  { content }: EventOf<"approval.decided" | "approval.expired" | "question.answered">,
): Pick<OpenTurn, "waits"> {
  const about = "question" in content ? content.question : undefined;
  return keepWaits(open, ({ sequence }) => sequence !== about);
}

/** Signals of more names than are kept apart. */
const OTHERS = "";

/** One more signal that no wait was open for. */
export function hearSignal(run: RunProjection, name: string, sequence: number): RunProjection {
  const { heard = {} } = run;
  const hasRoom = !Object.hasOwn(heard, OTHERS) && Object.keys(heard).length < SIGNAL_NAMES_MAX;
  const place = hasRoom || Object.hasOwn(heard, name) ? name : OTHERS;
  const { after } = findHeard(heard, place) ?? { after: sequence - 1 };
  return { ...run, heard: { ...heard, [place]: { after, last: sequence } } };
}

/** Where signals of a name stand that no wait has taken; undefined where none do. */
export function heardOf({ heard = {} }: RunProjection, name: string): Heard | undefined {
  const found = findHeard(heard, name) ?? findHeard(heard, OTHERS);
  return found === undefined || found.last <= found.after ? undefined : found;
}

/** A wait has taken a signal: none that stands before it is looked at again. */
export function takeHeard(
  run: RunProjection,
  { signal }: Pick<ContentOf<"question.answered">, "signal">,
  wait: OpenWait | undefined,
): RunProjection {
  const { heard } = run;
  if (signal === undefined || heard === undefined || wait === undefined) return run;
  const { name } = wait;
  const found = findHeard(heard, name) ?? findHeard(heard, OTHERS);
  if (found === undefined || signal > found.last) return run;
  const { [name]: _, ...others } = heard;
  const isEmpty = signal === found.last && !Object.hasOwn(heard, OTHERS);
  return { ...run, heard: isEmpty ? others : { ...others, [name]: { ...found, after: signal } } };
}

function findHeard(heard: Readonly<Record<string, Heard>>, name: string): Heard | undefined {
  return Object.hasOwn(heard, name) ? heard[name] : undefined;
}
