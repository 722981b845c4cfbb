/** Waits of flows for a signal, and the signals that none has taken yet. */
import type { BlobRef, ContentOf, EventOf } from "@turnseal/protocol";
import { type OpenTurn, type RunProjection, SIGNAL_NAMES_MAX } from "./run-projection.ts";
import {
  type Heard,
  type OpenWait,
  SIGNALS_KEPT_BYTES_MAX,
  SIGNALS_KEPT_MAX,
} from "./wait-state.ts";

export function openWait(open: OpenTurn, event: EventOf<"question.asked">): OpenTurn {
  const { sequence, hash, call, parentCall = null, at: askedAt, content } = event;
  const { key, request, path = "", signal: name = "", decideBy = askedAt } = content;
  const wait = { sequence, hash, key, call, parentCall, path, name, askedAt, decideBy, request };
  return { ...open, resumes: 0, lost: 0, waits: [...(open.waits ?? []), wait] };
}

/** Keeps some waits; nothing where there were none. */
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

/** The signals from before this event were compared with the waits that are open. */
export function judgeWaits(
  { waits }: OpenTurn,
  until: number | undefined,
): Pick<OpenTurn, "waits"> {
  if (waits === undefined || until === undefined) return {};
  return {
    waits: waits.map((wait) =>
      wait.sequence > until ? wait : { ...wait, isJudged: true as const },
    ),
  };
}

/** A signal that no wait was open for. */
interface Unheard {
  readonly name: string;
  readonly payload: Pick<BlobRef, "size">;
}

/** One more signal for a later wait, while there is room for it. */
export function hearSignal(
  run: RunProjection,
  { name, payload: { size } }: Unheard,
  sequence: number,
): RunProjection {
  if (!hasRoom(run, name)) return run;
  const { heard = {} } = run;
  const place = placeOf(heard, name);
  const none = { after: sequence - 1, count: 0, bytes: 0 };
  const { after, count, bytes } = findHeard(heard, place) ?? none;
  const more = { after, last: sequence, count: count + 1, bytes: bytes + size };
  return { ...run, heard: { ...heard, [place]: more } };
}

/** True where the log keeps one more signal of a name for a later wait. */
export function hasRoom({ heard = {} }: RunProjection, name: string): boolean {
  const { count, bytes } = findHeard(heard, placeOf(heard, name)) ?? { count: 0, bytes: 0 };
  return count < SIGNALS_KEPT_MAX && bytes < SIGNALS_KEPT_BYTES_MAX;
}

/** Under which name signals of this one are counted. */
function placeOf(heard: Readonly<Record<string, Heard>>, name: string): string {
  const isApart = !Object.hasOwn(heard, OTHERS) && Object.keys(heard).length < SIGNAL_NAMES_MAX;
  return isApart || Object.hasOwn(heard, name) ? name : OTHERS;
}

/** Where signals of a name stand that no wait has taken; undefined where none do. */
export function heardOf({ heard = {} }: RunProjection, name: string): Heard | undefined {
  const found = findHeard(heard, name) ?? findHeard(heard, OTHERS);
  return found === undefined || found.last <= found.after ? undefined : found;
}

type TakenSignal = Pick<ContentOf<"question.answered">, "signal"> &
  Partial<Pick<ContentOf<"question.answered">, "answer">>;

/** A wait has taken a signal: earlier ones are not checked again. */
export function takeHeard(
  run: RunProjection,
  { signal, answer }: TakenSignal,
  wait: OpenWait | undefined,
): RunProjection {
  const { heard } = run;
  if (signal === undefined || heard === undefined || wait === undefined) return run;
  const { name } = wait;
  const found = findHeard(heard, name) ?? findHeard(heard, OTHERS);
  if (found === undefined || signal > found.last) return run;
  const { [name]: _, ...others } = heard;
  const isLast = signal === found.last;
  if (isLast && !Object.hasOwn(heard, OTHERS)) return { ...run, heard: others };
  // The fold keeps no list: signals that were passed by count until the last one is taken.
  const count = isLast ? 0 : found.count - 1;
  const bytes = isLast ? 0 : found.bytes - (answer?.size ?? 0);
  return { ...run, heard: { ...others, [name]: { ...found, after: signal, count, bytes } } };
}

function findHeard(heard: Readonly<Record<string, Heard>>, name: string): Heard | undefined {
  return Object.hasOwn(heard, name) ? heard[name] : undefined;
}
