// A function under a name of the runtime would be claimed, and verified, as the runtime's own tool.
import { memoryStores, systemClock } from "@turnseal/ports";
import { BUILT_IN_TOOLS } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost, type LocalHostOptions } from "../../local/local-host.ts";
import { signer } from "../__fixtures__/refund-desk.ts";

function openTool(implementation: string) {
  const calls: unknown[] = [];
  const run = (input: unknown) => calls.push(input);
  const tool = defineTool({
    ...{ id: "own", version: "1.0.0", effect: "once", run, implementation },
    ...{ input: jsonSchema<object>(true), output: jsonSchema<unknown>(true) },
  });
  const open = (options: Partial<LocalHostOptions> = {}) =>
    createLocalHost({
      ...{ stores: memoryStores(systemClock), signer, models: {} },
      ...{ loops: [tool] as LocalHostOptions["loops"], ...options },
    });
  return { tool, run, calls, open };
}

test.each(["turnseal.group", "turnseal.else"])("a host takes no tool that is %s", (name) => {
  expect(openTool(name).open).toThrow(`\`${name}\` is a name of the runtime`);
});

test.each(["turnseal.group", "turnseal.note"])("a host takes no function for %s", (name) => {
  const { run, open } = openTool(name);
  expect(() => open({ loops: [], tools: { [name]: run } })).toThrow(
    `${name} is a name of the runtime`,
  );
});

test.each(BUILT_IN_TOOLS)("the function of an authored %s is not called", async (name) => {
  const { tool, calls, open } = openTool(name);
  const grant = { grantor: "ada", tools: [name], budget: { toolCalls: 1, effects: 1 } };
  const input = { key: "k", text: "t" };
  const outcome = await open().run(tool, input, { grant });
  expect([typeof outcome.status, calls]).toEqual(["string", []]);
});
