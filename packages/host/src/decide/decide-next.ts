/** Decides the input of the next turn. Pure. */
import { applyMapping, parseSource } from "@turnseal/kernel";
import {
  type JsonObject,
  type JsonValue,
  type Mapping,
  meetsCondition,
  NEXT_INPUT_ROOTS,
  type RunBounds,
} from "@turnseal/protocol";

/** The values between two turns, by the roots of paths. */
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
  /** The path or the expression that leads nowhere, as it is written. */
  | { readonly kind: "broken"; readonly source: string };

/** The input of the next turn: the run's own, or built by the mapping of its bounds. */
export function decideNext(mapping: Mapping | undefined, known: KnownBetweenTurns): NextInput {
  if (mapping === undefined || known.turn === 0) return { kind: "input", input: known.input };
  const sources = [];
  for (const [field, written] of Object.entries(mapping)) {
    const source = parseSource(written, NEXT_INPUT_ROOTS);
    if (source.kind === "refused") return { kind: "broken", source: source.text };
    sources.push({ field, source });
  }
  const mapped = applyMapping(sources, { ...known });
  if (mapped.kind === "mapped") return { kind: "input", input: mapped.fields };
  return { kind: "broken", source: mapped.kind === "broken" ? mapped.path : mapped.expression };
}

/**
 * Whether a validated output meets the goal. Without a goal, completing is the goal; a run that
 * awaits signals goes on with the next one instead.
 */
export function meetsGoal({ goal, awaits }: GoalBounds, output: JsonValue): boolean {
  if (goal === undefined) return awaits === undefined;
  return meetsCondition(goal, { output });
}
