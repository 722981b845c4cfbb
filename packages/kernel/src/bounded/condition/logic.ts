/** The parts of conditions that do not evaluate all they have, or outweigh a failure in it. */
import { isSpent } from "../meter.ts";
import type { Evaluate, Scope } from "./scope.ts";
import { Failure, TYPE_MISMATCH, type Value } from "./value.ts";

/** A truth value; anything else is a failure. */
function toTruth(value: Value): boolean | Failure {
  return typeof value === "boolean" || value instanceof Failure ? value : TYPE_MISMATCH;
}

/**
 * `||`, when true is what `decides`, and `&&`, when false is: the value that decides outweighs a
 * failure on either side.
 */
export function either(decides: boolean, left: Evaluate, right: Evaluate): Evaluate {
  return (scope) => {
    const first = toTruth(left(scope));
    if (first === decides) return decides;
    const second = toTruth(right(scope));
    if (second === decides) return decides;
    return first instanceof Failure ? first : second;
  };
}

export function not(operand: Evaluate): Evaluate {
  return (scope) => {
    const value = toTruth(operand(scope));
    return value instanceof Failure ? value : !value;
  };
}

export function choose(condition: Evaluate, yes: Evaluate, no: Evaluate): Evaluate {
  return (scope) => {
    const value = toTruth(condition(scope));
    if (value instanceof Failure) return value;
    return value ? yes(scope) : no(scope);
  };
}

/** Something done for each item of a list; `slot` is where the item stands meanwhile. */
export interface Iteration {
  readonly list: Evaluate;
  readonly slot: number;
  readonly body: Evaluate;
}

/** `exists`, when true is what `decides`, and `all`, when false is. */
export function someItem(decides: boolean, iteration: Iteration): Evaluate {
  return (scope) => {
    let failure: Failure | undefined;
    const stopped = eachItem(iteration, scope, (value) => {
      const truth = toTruth(value);
      if (truth instanceof Failure) failure ??= truth;
      return truth === decides ? decides : undefined;
    });
    return stopped ?? failure ?? !decides;
  };
}

/** `exists_one`. */
export function oneItem(iteration: Iteration): Evaluate {
  return (scope) => {
    let count = 0;
    const stopped = eachItem(iteration, scope, (value) => {
      const truth = toTruth(value);
      if (truth instanceof Failure) return truth;
      count += truth ? 1 : 0;
      return undefined;
    });
    return stopped ?? count === 1;
  };
}

/** `filter`. */
export function filterItems(iteration: Iteration): Evaluate {
  const { slot } = iteration;
  return mapItems({ ...iteration, body: ({ items }) => items[slot] ?? null }, iteration.body);
}

/** `map`, over all items or those that pass `test`. */
export function mapItems(iteration: Iteration, test?: Evaluate): Evaluate {
  const { body } = iteration;
  return (scope) => {
    const mapped: Exclude<Value, Failure>[] = [];
    const stopped = eachItem({ ...iteration, body: test ?? alwaysTrue }, scope, (value) => {
      const truth = toTruth(value);
      if (truth instanceof Failure) return truth;
      const result = truth ? body(scope) : undefined;
      if (result instanceof Failure) return result;
      if (result !== undefined) mapped.push(result);
      return undefined;
    });
    return stopped ?? mapped;
  };
}

const alwaysTrue: Evaluate = () => true;

/** Goes through a list until `visit` answers, or steps run out. */
function eachItem(
  { list, slot, body }: Iteration,
  scope: Scope,
  visit: (value: Value) => boolean | Failure | undefined,
): boolean | Failure | undefined {
  const items = list(scope);
  if (items instanceof Failure) return items;
  if (!Array.isArray(items)) return TYPE_MISMATCH;
  for (const item of items) {
    scope.items[slot] = item;
    const answer = visit(body(scope));
    if (answer !== undefined) return answer;
    if (isSpent(scope)) return undefined;
  }
  return undefined;
}
