/** The results that a node of a drawn flow may read, and how it reads them. */
import type { JsonValue, Mapping, MappingSource } from "@turnseal/protocol";
import type { Random } from "../simulate/random.ts";

/** A name that is known somewhere, and what stands behind it. */
export interface Known {
  readonly name: string;
  /**
   * `cell`: a result whose output is `{ value, list }`; `result`: any result; `number`: a number
   * itself; `last`: what the round before gave.
   */
  readonly holds: "cell" | "result" | "number" | "last";
  /** False where it may have been skipped, or hold an error. */
  readonly isSure: boolean;
  /** True where it may hold an error, which has a code. */
  readonly mayFail: boolean;
}

/** A condition over what is known. Some cannot be evaluated, and fail their node. */
export function drawCondition(random: Random, known: readonly Known[]): string {
  const sure = known.filter(({ holds, isSure }) => isSure && holds !== "result");
  const found = sure.length > 0 && random.chance(0.7) ? random.pick(sure) : undefined;
  const modulus = random.between(2, 4);
  if (found === undefined) {
    const unsure = known.filter(({ isSure }) => !isSure);
    if (unsure.length > 0 && random.chance(0.4)) return `${random.pick(unsure).name} == null`;
    return random.pick([
      `input.value % ${modulus} == ${random.below(modulus)}`,
      `size(input.list) > ${random.below(4)}`,
      "true",
      "true",
      "false",
    ]);
  }
  const { name, holds } = found;
  // The first round has no last result to read.
  if (holds === "last")
    return `${name} != null && has(${name}.value) && ${name}.value % ${modulus} == 0`;
  const value = holds === "number" ? name : `${name}.output.value`;
  return `${value} % ${modulus} == ${random.below(modulus)}`;
}

/** A list to go over: written down, given, computed, and now and then none. */
export function drawItems(random: Random, known: readonly Known[], most: number): MappingSource {
  const cells = known.filter(({ holds, isSure }) => holds === "cell" && isSure);
  if (cells.length > 0 && random.chance(0.45)) {
    const { name } = random.pick(cells);
    return random.chance(0.5) ? `$.${name}.output.list` : { cel: `${name}.output.list` };
  }
  if (random.chance(0.03)) return "$.input.value";
  if (random.chance(0.2)) return "$.input.list";
  const length = random.below(most + 1);
  return { const: Array.from({ length }, () => random.below(50)) };
}

/** The input of a loop: a value of its own, and some of the known results. */
export function drawMapping(random: Random, known: readonly Known[]): Mapping {
  const mapping: Record<string, MappingSource> = { salt: { const: random.below(10_000) } };
  for (let field = random.below(3); field > 0; field--) {
    const found = known.length === 0 ? undefined : random.pick(known);
    mapping[`field${field}`] = found === undefined ? "$.input.list" : drawSource(random, found);
  }
  return mapping;
}

function drawSource(random: Random, { name, holds, isSure, mayFail }: Known): MappingSource {
  if (holds === "number") return random.chance(0.5) ? `$.${name}` : { cel: `${name} + 1` };
  if (holds === "last") return `$.${name}`;
  if (mayFail && random.chance(0.3)) return `$.${name}.error.code`;
  if (random.chance(0.2)) return `$.${name}.status`;
  if (holds === "cell" && isSure && random.chance(0.4))
    return { cel: `${name}.output.value * 2 + size(${name}.output.list)` };
  return `$.${name}.output`;
}

export const constant = (value: JsonValue): MappingSource => ({ const: value });
