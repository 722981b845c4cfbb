import { manualClock, scriptedModel } from "@turnseal/ports";
import { canonicalize, InvariantError } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { createRegistry } from "../registry/registry.ts";
import { createExecutor } from "./executor.ts";
import {
  codeOf,
  compositeLoop,
  openWorld,
  promptLoop,
  step,
  toolLoop,
  typesOf,
} from "./sample-world.test.data.ts";

test("a loop that is not registered is a result with a whole trace", async () => {
  const call = await openWorld({ loops: [] }).call("nowhere", {}, { version: "2.0.0" });
  expect(call.result).toMatchObject({
    status: "error",
    loopId: "nowhere",
    error: { code: "LOOP_NOT_FOUND", message: "nowhere 2.0.0 is not registered" },
  });
  expect(typesOf(call)).toEqual(["call.started", "call.errored"]);
  expect(codeOf(await openWorld({ loops: [] }).call("toString"))).toBe("LOOP_NOT_FOUND");
});

test("a version calls that version, and none the highest release", async () => {
  const loops = ["1.0.0", "2.0.0", "3.0.0-beta.1"].map((version) =>
    toolLoop("greet", { version, tool: { implementation: "local.greet", config: { version } } }),
  );
  const world = openWorld({ loops, tools: { greet: (_, { config }) => config } });
  expect((await world.call("greet")).result).toMatchObject({ output: { version: "2.0.0" } });
  for (const version of ["1.0.0", "3.0.0-beta.1"]) {
    expect((await world.call("greet", {}, { version })).result).toMatchObject({
      loopVersion: version,
      output: { version },
    });
  }
});

test("a call does not change the caller's input, and copies it before anyone sees it", async () => {
  const input = Object.freeze({ list: Object.freeze([1]) });
  let seen: unknown;
  const loops = [toolLoop("keep")];
  await openWorld({
    loops,
    tools: {
      keep: (given) => {
        (given as { list: number[] }).list.push(2);
        seen = given;
        return null;
      },
    },
  }).call("keep", input);
  expect(input).toEqual({ list: [1] });
  expect(seen).toEqual({ list: [1, 2] });
});

test("an output that its tool changes later stays as it was validated", async () => {
  const output = { list: [1] };
  const { result } = await openWorld({
    loops: [toolLoop("late")],
    tools: { late: () => output },
  }).call("late");
  output.list.push(2);
  expect(result).toMatchObject({ output: { list: [1] } });
});

test("the same seed leaves the same bytes twice, and another seed other ids", async () => {
  const run = async (seed: string) => {
    const world = openWorld({
      seed,
      loops: [
        toolLoop("work"),
        promptLoop("ask"),
        compositeLoop("all", [step("work", { a: "$.input" }), step("ask", { word: "literal:x" })]),
      ],
      models: { sample: scriptedModel() },
      tools: {
        work: async (input, { log, emit }) => {
          log("info", "working");
          await Promise.resolve();
          emit("acme.progress", { done: 1 });
          return input;
        },
      },
    });
    const calls = [await world.call("all", { n: 1 }), await world.call("nowhere")];
    return canonicalize(calls.map(({ result, events }) => ({ result, events })));
  };
  expect(await run("seed")).toBe(await run("seed"));
  expect(await run("seed")).not.toBe(await run("other"));
});

test("a clock that is broken is a failure of the machine, and is thrown", async () => {
  const clock = {
    ...manualClock(),
    now: () => {
      throw new InvariantError("no time");
    },
  };
  const executor = createExecutor({
    registry: createRegistry(),
    clock,
    ids: { create: () => "" },
  });
  await expect(executor.call("any", {})).rejects.toThrow(InvariantError);
});
