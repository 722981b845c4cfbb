import type { JsonValue } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import {
  type ActionExecutionSubject,
  actionExecutionContract,
} from "./action-execution-contract.ts";
import { InMemoryAEL } from "./in-memory-ael.ts";

const action = { kind: "greet" };
const result = { status: "executed", action };

describe("an execution layer in memory keeps the contract", () => {
  const create = () => ({ layer: new InMemoryAEL(), action, result });
  for (const { name, run } of actionExecutionContract({ create })) test(name, run);
});

test("the contract finds layers that do not keep it", async () => {
  const broken =
    (execute: (given: JsonValue) => Promise<JsonValue>) => (): ActionExecutionSubject => ({
      layer: { execute },
      action,
      result,
      failing: "fail",
    });
  const layer = new InMemoryAEL();
  let count = 0;
  let hasFailed = false;
  const breaking: Readonly<Record<string, () => ActionExecutionSubject>> = {
    "an action is answered with its result, as often as it is executed": broken(async (given) =>
      ++count > 1 ? null : layer.execute(given),
    ),
    "what failed is thrown, and the next is executed": broken(async (given) => {
      hasFailed ||= given === "fail";
      if (hasFailed) throw new Error("the layer is stuck");
      return layer.execute(given);
    }),
    "an action that is no JSON is refused": broken(async () => result),
  };
  const sentences = actionExecutionContract({ create: () => Promise.reject(new Error("unused")) });
  expect(sentences.map(({ name }) => name)).toEqual(Object.keys(breaking));
  for (const [name, create] of Object.entries(breaking)) {
    const sentence = actionExecutionContract({ create }).find((one) => one.name === name);
    await expect(sentence?.run(), name).rejects.toThrow();
  }
});
