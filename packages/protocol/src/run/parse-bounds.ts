/** The bounds of a run from outside: checked, and with every default filled in. */
import { isPlainObject } from "../canonical-json.ts";
import { copyJson, VALUE_BYTES_MAX } from "../copy-json.ts";
import { SUMMARIES_MAX } from "../guidance/guidance.ts";
import { toInstant } from "../instant.ts";
import { FIELD_TYPES, isMappingSource } from "../loop/field-type.ts";
import { parsePath } from "../loop/path.ts";
import { type Check, isCountWithin, isFlag } from "../shape.ts";
import {
  AWAITS_MAX,
  isAwaits,
  isSchedules,
  SCHEDULE_PAYLOAD_BYTES_MAX,
  SCHEDULES_MAX,
} from "./parse-schedules.ts";
import {
  FAILURES_MAX_DEFAULT,
  RESUMES_MAX_DEFAULT,
  RETRY_FOR_MS_MAX,
  type RunBounds,
  TURNS_MAX_DEFAULT,
} from "./run-spec.ts";

/** The most of any bound that counts something. */
export const BOUND_MAX = 1_000_000;

/** Fields that the input of a next turn is built of. */
export const NEXT_INPUT_FIELDS_MAX = 64;

/** Reads bounds, or answers what is wrong with them. */
export function parseBounds(value: unknown): RunBounds | { readonly problem: string } {
  if (!isPlainObject(value)) return { problem: "bounds are an object" };
  const { deadlineAt, ...fields } = value;
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(checks, name));
  if (unknown !== undefined) return { problem: `\`${unknown}\` is not a bound of a run` };
  for (const [name, { isGood, words }] of Object.entries(checks)) {
    const given = fields[name];
    if (given !== undefined && !isGood(given)) return { problem: `\`${name}\` ${words}` };
  }
  const deadline = toInstant(deadlineAt);
  if (deadlineAt !== undefined && deadline === undefined)
    return { problem: "`deadlineAt` is an ISO 8601 time in UTC, such as 2030-01-31T00:00:00Z" };
  const awaited = awaitSchedules(fields as Partial<RunBounds>);
  if ((awaited.awaits ?? []).length > AWAITS_MAX)
    return { problem: `\`awaits\`, with the names of schedules, ${checks["awaits"]?.words}` };
  return {
    ...defaultTurns(fields as Partial<RunBounds>),
    ...(isConversation(fields as Partial<RunBounds>)
      ? { onReject: "tell", onFailure: "wait" }
      : {}),
    failuresMax: FAILURES_MAX_DEFAULT,
    resumesMax: RESUMES_MAX_DEFAULT,
    // Every field was checked above.
    ...(fields as Partial<RunBounds>),
    ...(deadline === undefined ? {} : { deadlineAt: deadline }),
    ...awaited,
  };
}

/**
 * The number of turns of a run that names none. A conversation has no such number, unless its turns
 * may go on by themselves after their rounds.
 */
export function defaultTurns(given: Partial<RunBounds>): Pick<RunBounds, "turnsMax"> {
  const isCounted = !isConversation(given) || given.onRoundsExhausted === "continue";
  return isCounted ? { turnsMax: TURNS_MAX_DEFAULT } : {};
}

/** True for a run that awaits messages: signals without a schedule. */
function isConversation({ awaits = [], schedules = [] }: Partial<RunBounds>): boolean {
  const scheduled = schedules.map(({ name }) => name);
  return awaits.some((name) => !scheduled.includes(name));
}

/** A run waits for what it is scheduled for. */
function awaitSchedules({ awaits = [], schedules = [] }: Partial<RunBounds>): Partial<RunBounds> {
  if (schedules.length === 0) return {};
  return { awaits: [...new Set([...awaits, ...schedules.map(({ name }) => name)])] };
}

interface Bound {
  readonly isGood: Check;
  readonly words: string;
}

const count: Bound = {
  isGood: isCountWithin({ least: 1, most: BOUND_MAX }),
  words: `is a whole number from 1 to ${BOUND_MAX}`,
};

const checks: Readonly<Record<string, Bound>> = {
  turnsMax: count,
  failuresMax: count,
  resumesMax: count,
  summaries: {
    isGood: isCountWithin({ least: 0, most: SUMMARIES_MAX }),
    words: `is a whole number from 0 to ${SUMMARIES_MAX}`,
  },
  retryForMs: {
    isGood: isCountWithin({ least: 0, most: RETRY_FOR_MS_MAX }),
    words: `is a whole number of milliseconds from 0 to ${RETRY_FOR_MS_MAX}`,
  },
  onRoundsExhausted: {
    isGood: (value) => value === "stop" || value === "continue",
    words: "is `stop` or `continue`",
  },
  onFailure: {
    isGood: (value) => value === "stop" || value === "wait",
    words: "is `stop` or `wait`",
  },
  onReject: {
    isGood: (value) => value === "stop" || value === "tell",
    words: "is `stop` or `tell`",
  },
  rollbackOn: {
    isGood: FIELD_TYPES.causes.accepts,
    words: `is ${FIELD_TYPES.causes.wanted}`,
  },
  noDrift: { isGood: isFlag, words: "is true or false" },
  goal: {
    isGood: FIELD_TYPES.goal.accepts,
    words: `has ${FIELD_TYPES.goal.wanted}`,
  },
  nextInput: {
    isGood: isMapping,
    words: `maps at most ${NEXT_INPUT_FIELDS_MAX} names to paths, to literal: texts, to \`const\` or to \`cel\``,
  },
  awaits: { isGood: isAwaits, words: `lists from 1 to ${AWAITS_MAX} different names of signals` },
  schedules: {
    isGood: isSchedules,
    words:
      `lists from 1 to ${SCHEDULES_MAX} of different names, each with a \`name\`, a \`cron\` of ` +
      "five fields such as 0 9 * * 1-5, and where needed a `timezone` such as Europe/Berlin and " +
      `a \`payload\` of at most ${SCHEDULE_PAYLOAD_BYTES_MAX} bytes`,
  },
};

function isMapping(value: unknown): boolean {
  if (!isPlainObject(value) || Object.keys(value).length > NEXT_INPUT_FIELDS_MAX) return false;
  return isValue(value) && Object.values(value).every(isNextSource);
}

/** The specification holds it, and so does every turn that is built from it. */
function isValue(value: unknown): boolean {
  return copyJson(value, VALUE_BYTES_MAX).kind === "copied";
}

// Expressions are not checked here: the evaluator checks them at the start.
function isNextSource(value: unknown): boolean {
  if (typeof value === "string") return value.startsWith("literal:") || isPath(value);
  return isMappingSource(value);
}

function isPath(value: unknown): boolean {
  return typeof value === "string" && parsePath(value).kind !== "refused";
}
