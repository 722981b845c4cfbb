/**
 * Checks that an awaited signal fits the turn that it begins. The sender learns of a misfit at
 * once: a stored misfit would be refused by its turn, and end the run.
 *
 * Only what is certain is refused. A field of the next input that also needs what is not known yet,
 * such as the last output, is left to its turn.
 */
import { type CheckedLoop, listReads, parseSource, type Registry } from "@turnseal/kernel";
import {
  formatPointer,
  isMappingSource,
  isPlainObject,
  type JsonObject,
  type JsonValue,
  type Mapping,
  NEXT_INPUT_ROOTS,
  type PathSegment,
  type RunSpec,
} from "@turnseal/protocol";
import { decideNext } from "../decide/decide-next.ts";
import { describeFirst } from "./describe-problems.ts";
import { sampleValue } from "./sample-value.ts";

/** The facts by which a run begins a turn for each signal. */
export interface TurnTaker {
  readonly spec: RunSpec;
  readonly input: JsonValue;
  /** The loop that it is pinned to; undefined if this host lacks it. */
  readonly loop: CheckedLoop | undefined;
}

interface Signalled {
  readonly name: string;
  readonly payload: JsonValue;
}

/** The loop of a run, where it is registered with the digest that the run is pinned to. */
export function findPinnedLoop(
  { loop, version, pinned }: RunSpec,
  registry: Registry | undefined,
): CheckedLoop | undefined {
  const found = registry?.resolve(loop, version);
  const isPinned = Object.values(pinned).some(
    (pin) => pin.id === loop && pin.version === version && pin.digest === found?.digest,
  );
  return isPinned ? found : undefined;
}

/** Why the signal cannot begin a turn, in words; undefined if no problem is certain. */
export function findSignalMisfit(
  { spec, input, loop }: TurnTaker,
  { name, payload }: Signalled,
): string | undefined {
  const { nextInput } = spec.bounds;
  if (nextInput === undefined) return isEmpty(payload) ? undefined : UNREAD;
  const known = Object.entries(nextInput).filter(([, source]) => isKnown(source, name));
  const signals = { [name]: payload };
  const next = decideNext(Object.fromEntries(known), { input, output: null, turn: 1, signals });
  if (next.kind === "broken") return `its payload has nothing at ${next.source}`;
  if (loop === undefined) return undefined;
  const { problems } = loop.validateInput(next.input);
  const certain =
    known.length === Object.keys(nextInput).length
      ? problems
      : problems.filter((problem) => known.some(([field]) => isOf(problem, field)));
  return certain.length === 0 ? undefined : describeFirst(certain);
}

/** A turn would begin with the input of the first one, and the words of a person would be lost. */
const UNREAD =
  "no turn reads its payload, since the run has no `nextInput`: send it without a payload, or " +
  "start a run with `nextInput`";

function isEmpty(payload: JsonValue): boolean {
  return payload === null || (isPlainObject(payload) && Object.keys(payload).length === 0);
}

function isKnown(written: Mapping[string], name: string): boolean {
  return readsOf(written).every(
    ([root, signal]) => root === "input" || (root === "signals" && signal === name),
  );
}

function readsOf(written: Mapping[string]): readonly (readonly PathSegment[])[] {
  if (!isMappingSource(written)) return [];
  const source = parseSource(written, NEXT_INPUT_ROOTS);
  return source.kind === "refused" ? [] : listReads(source);
}

function isOf(problem: string, field: string): boolean {
  const place = formatPointer([field]);
  return problem.startsWith(`${place}:`) || problem.startsWith(`${place}/`);
}

/** A payload that fits, as an example; undefined if none is known, or any fits. */
export function sampleSignal(taker: TurnTaker, name: string): JsonValue | undefined {
  const { nextInput = {} } = taker.spec.bounds;
  const inputSchema = taker.loop?.definition.inputSchema;
  const properties = isPlainObject(inputSchema) ? inputSchema["properties"] : undefined;
  let payload: JsonValue | undefined;
  for (const [field, source] of Object.entries(nextInput)) {
    const schema = isPlainObject(properties) ? properties[field] : undefined;
    for (const [root, signal, ...rest] of readsOf(source)) {
      if (root !== "signals" || signal !== name) continue;
      if (rest.some((segment) => typeof segment === "number")) return undefined;
      payload = put(payload, rest as readonly string[], sampleValue(schema));
    }
  }
  if (payload === undefined) return undefined;
  return findSignalMisfit(taker, { name, payload }) === undefined ? payload : undefined;
}

function put(
  into: JsonValue | undefined,
  [name, ...rest]: readonly string[],
  value: JsonValue,
): JsonValue {
  if (name === undefined) return into ?? value;
  const known: JsonObject = isPlainObject(into) ? (into as JsonObject) : {};
  const below = Object.hasOwn(known, name) ? known[name] : undefined;
  return { ...known, [name]: put(below, rest, value) };
}
