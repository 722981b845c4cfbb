/** Decides what the next turn is given. Pure. */
import {
  type JsonObject,
  type JsonValue,
  type Mapping,
  meetsCondition,
  parsePath,
  type RunBounds,
  readPath,
} from "@turnseal/protocol";

/** What is known between two turns, under the names that paths start from. */
export interface KnownBetweenTurns {
  /** The run's own input. */
  readonly input: JsonValue;
  /** The last turn that completed: its output. */
  readonly output: JsonValue;
  readonly turn: number;
  /** The latest payload of each signal. A signal reaches a prompt only if a mapping names it. */
  readonly signals: JsonObject;
}

type GoalBounds = Pick<Partial<RunBounds>, "goal" | "awaits">;

export type NextInput =
  | { readonly kind: "input"; readonly input: JsonValue }
  | { readonly kind: "broken"; readonly path: string };

/** The input of the next turn: the run's own, or built by the mapping of its bounds. */
export function decideNext(mapping: Mapping | undefined, known: KnownBetweenTurns): NextInput {
  if (mapping === undefined || known.turn === 0) return { kind: "input", input: known.input };
  const fields: Record<string, JsonValue> = {};
  for (const [field, source] of Object.entries(mapping)) {
    if (typeof source !== "string") {
      fields[field] = source.const;
      continue;
    }
    if (source.startsWith("literal:")) {
      fields[field] = source.slice("literal:".length);
      continue;
    }
    const found = followPath(source, known as unknown as JsonValue);
    if (found.kind === "broken") return { kind: "broken", path: source };
    if (found.kind === "value") fields[field] = found.value;
  }
  return { kind: "input", input: fields };
}

/**
 * Whether a validated output meets the goal. Without a goal, completing is the goal; a run that
 * awaits signals goes on with the next one instead.
 */
export function meetsGoal({ goal, awaits }: GoalBounds, output: JsonValue): boolean {
  if (goal === undefined) return awaits === undefined;
  return meetsCondition(goal, { output });
}

function followPath(text: string, root: JsonValue): ReturnType<typeof readPath> {
  const parsed = parsePath(text);
  if (parsed.kind === "refused") return { kind: "broken", reason: parsed.reason };
  return readPath(root, parsed.segments);
}
