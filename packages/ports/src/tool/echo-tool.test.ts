import type { JsonValue } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { echoTool } from "./echo-tool.ts";
import type { Tool } from "./tool.ts";
import { toolContract } from "./tool-contract.ts";

const input: JsonValue = { text: "hello", list: [1, { deep: null }] };

describe("the echo tool keeps the contract", () => {
  for (const { name, run } of toolContract({ create: () => ({ tool: echoTool, input }) })) {
    test(name, run);
  }
});

describe("the contract finds a tool that does not keep it", () => {
  const broken: Record<string, Tool> = {
    "answers with plain JSON": () => new Date(),
    "does not change its input": (given) => Object.assign(given as object, { more: 1 }),
    "emits only types that are its to use": (given, { emit }) => {
      emit("Not A Type");
      return given;
    },
  };
  const names = toolContract({ create: () => ({ tool: echoTool, input }) }).map(({ name }) => name);

  test.each(names)("%s", async (name) => {
    const tool = broken[name] ?? echoTool;
    const contract = toolContract({ create: () => ({ tool, input: structuredClone(input) }) });
    await expect(contract.find((found) => found.name === name)?.run()).rejects.toThrow();
  });
});
