import { strict as assert } from "node:assert";
import { bindContract, type ContractCase, type ContractOptions } from "@turnseal/ports/contracts";
import type { JsonValue } from "@turnseal/protocol";
import type { ActionExecutionLayer } from "./action-execution.ts";

export interface ActionExecutionSubject {
  readonly layer: ActionExecutionLayer;
  /** An action that is executed, and its result. */
  readonly action: JsonValue;
  readonly result: JsonValue;
  /** One that fails; absent where none can. */
  readonly failing?: JsonValue;
}

/** The contract of every layer that executes actions. */
export function actionExecutionContract(
  options: ContractOptions<ActionExecutionSubject>,
): ContractCase[] {
  return bindContract(sentences, options);
}

type Sentences = Readonly<Record<string, (subject: ActionExecutionSubject) => Promise<void>>>;

const sentences: Sentences = {
  "an action is answered with its result, as often as it is executed": async (subject) => {
    const { layer, action, result } = subject;
    assert.deepEqual(await layer.execute(action), result);
    assert.deepEqual(await Promise.all([layer.execute(action), layer.execute(action)]), [
      result,
      result,
    ]);
  },
  "what failed is thrown, and the next is executed": async (subject) => {
    const { layer, action, result, failing } = subject;
    if (failing !== undefined) await assert.rejects(() => layer.execute(failing));
    assert.deepEqual(await layer.execute(action), result);
  },
  "an action that is no JSON is refused": async ({ layer, action, result }) => {
    const circle: unknown[] = [];
    circle.push(circle);
    for (const wrong of [undefined, () => 1, Number.NaN, circle, { made: new Date(0) }])
      await assert.rejects(() => layer.execute(wrong as JsonValue));
    assert.deepEqual(await layer.execute(action), result);
  },
};
