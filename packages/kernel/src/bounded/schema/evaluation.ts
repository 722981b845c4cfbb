/**
 * One validation in progress.
 *
 * 1. It is bounded. Applying a subschema is a step, looking at a part of a value is a step, and
 *    when the steps have run out the value is refused. A schema can multiply work, so that nothing
 *    short of counting it says how long a validation takes.
 * 2. Faults are kept only where they decide: an alternative may fail without harm.
 * 3. It never throws, and never changes the value or the schema.
 */
import { formatPointer, type JsonValue } from "@turnseal/protocol";
import { PROBLEMS_MAX, VALIDATION_NESTING_MAX, VALIDATION_STEPS_MAX } from "../../limits.ts";
import { isSpent, type Meter, spend } from "../meter.ts";

/** Checks a value against a schema, or against one keyword of it. */
export type Check = (value: JsonValue, evaluation: Evaluation) => boolean;

export interface Evaluation extends Meter {
  nesting: number;
  /** The path of the value in the whole. */
  readonly path: (string | number)[];
  /** Undefined inside an alternative. */
  faults: Fault[] | undefined;
  /** The parts of the value that were evaluated so far; undefined where no keyword needs them. */
  covered: Coverage | undefined;
}

export interface Fault {
  /** A JSON Pointer into the value. */
  readonly path: string;
  readonly message: string;
}

/** The fields and items that some keyword has applied a subschema to. */
export interface Coverage {
  readonly names: Set<string>;
  readonly indexes: Set<number>;
  /** Every item before this index. */
  itemsBefore: number;
}

/** Validates a value; the answer is what is wrong with it. */
export function evaluate(check: Check, value: JsonValue): readonly Fault[] {
  const faults: Fault[] = [];
  const evaluation: Evaluation = {
    stepsLeft: VALIDATION_STEPS_MAX,
    nesting: 0,
    path: [],
    faults,
    covered: undefined,
  };
  const isValid = check(value, evaluation);
  if (isSpent(evaluation)) return [{ path: "", message: "takes too long to validate" }];
  return isValid || faults.length > 0 ? faults : [{ path: "", message: "is not valid" }];
}

/** Begins the application of a subschema. `leave` ends each one. */
export function enter(evaluation: Evaluation): boolean {
  evaluation.nesting++;
  // Nesting is bounded for the sake of the stack: beyond it there is no step left.
  if (evaluation.nesting > VALIDATION_NESTING_MAX) evaluation.stepsLeft = -1;
  return spend(evaluation, 1);
}

export function leave(evaluation: Evaluation): void {
  evaluation.nesting--;
}

/** Says that a value fails. The answer is always false. */
export function addFault(evaluation: Evaluation, message: string, ...below: string[]): false {
  const { faults, path } = evaluation;
  if (faults !== undefined && faults.length < PROBLEMS_MAX) {
    faults.push({ path: formatPointer([...path, ...below]), message });
  }
  return false;
}

/** True when no further fault is of use, so that the first failure may end a check. */
export function isDecided(evaluation: Evaluation): boolean {
  const { faults } = evaluation;
  return faults === undefined || faults.length >= PROBLEMS_MAX || isSpent(evaluation);
}

/** Applies a check to a part of the value. */
export function descend(
  check: Check,
  part: { readonly key: string | number; readonly value: JsonValue },
  evaluation: Evaluation,
): boolean {
  const { covered, path } = evaluation;
  evaluation.covered = undefined;
  path.push(part.key);
  const isValid = check(part.value, evaluation);
  path.pop();
  evaluation.covered = covered;
  return isValid;
}

/** Applies a check that may fail without harm. Its coverage counts only if it holds. */
export function attempt(check: Check, value: JsonValue, evaluation: Evaluation): boolean {
  const { faults, covered } = evaluation;
  evaluation.faults = undefined;
  const own = covered === undefined ? undefined : createCoverage();
  evaluation.covered = own;
  const isValid = check(value, evaluation);
  evaluation.faults = faults;
  evaluation.covered = covered;
  if (isValid && covered !== undefined && own !== undefined) addCoverage(covered, own);
  return isValid;
}

export function createCoverage(): Coverage {
  return { names: new Set(), indexes: new Set(), itemsBefore: 0 };
}

export function addCoverage(to: Coverage, added: Coverage): void {
  for (const name of added.names) to.names.add(name);
  for (const index of added.indexes) to.indexes.add(index);
  to.itemsBefore = Math.max(to.itemsBefore, added.itemsBefore);
}
