/**
 * Uses of the runtime that must compile, and uses that must not. `tsc -b` is the test: an expected
 * error that is missing is itself an error.
 */

import type { LoopResult } from "@turnseal/protocol";
import { defineTool } from "@turnseal/protocol/authoring";
import { z } from "zod";
import { createRuntime } from "./runtime.ts";

type Equal<Left, Right> =
  (<Probe>() => Probe extends Left ? 1 : 2) extends <Probe>() => Probe extends Right ? 1 : 2
    ? true
    : false;
const holds = <Claim extends true>(claim: Claim): Claim => claim;

const add = defineTool({
  id: "add",
  version: "1.0.0",
  input: z.object({ left: z.number(), right: z.number().optional() }),
  output: z.object({ sum: z.number() }),
  run: ({ left, right = 0 }) => ({ sum: left + right }),
});
const runtime = createRuntime({ loops: [add] });

export async function callAdd(): Promise<void> {
  const result = await runtime.call(add, { left: 1 });
  holds<Equal<typeof result, LoopResult<{ sum: number }>>>(true);

  // @ts-expect-error The input needs `left`.
  await runtime.call(add, {});
  // @ts-expect-error `left` is a number.
  await runtime.call(add, { left: "1" });
  // @ts-expect-error The input has no field `middle`.
  await runtime.call(add, { left: 1, middle: 2 });
  // @ts-expect-error A loop is called by itself, not by its name.
  await runtime.call("add", { left: 1 });
  // @ts-expect-error The version is the loop's own.
  await runtime.call(add, { left: 1 }, { version: "2.0.0" });

  // @ts-expect-error There is an output only when the call went well.
  result.output;
  if (result.status === "error") {
    // @ts-expect-error A call that failed has no output.
    result.output;
    // @ts-expect-error The codes are a closed set.
    if (result.error.code === "NOT_A_CODE") return;
    return;
  }
  // @ts-expect-error A call that went well has no error.
  result.error;
  // @ts-expect-error The output has no field `total`.
  result.output.total;
  // @ts-expect-error `sum` is a number.
  const text: string = result.output.sum;
  holds<Equal<typeof text, string>>(true);
}

// @ts-expect-error A loop is needed, not its document.
createRuntime({ loops: [add.definition] });

// @ts-expect-error A function is bound by name.
createRuntime({ loops: [add], tools: [() => null] });
