import { scriptedModel, type Tool } from "@turnseal/ports";
import { expect, test } from "vitest";
import {
  codeOf,
  compositeLoop,
  openWorld,
  promptLoop,
  step,
  toolLoop,
  typesOf,
} from "./sample-world.test.data.ts";

const settle = () => new Promise<void>((resolve) => setTimeout(resolve));
const hang: Tool = () => new Promise(() => {});

test("a signal that is aborted before the call leaves a beginning and an end", async () => {
  let acts = 0;
  const world = openWorld({ loops: [toolLoop("act")], tools: { act: () => acts++ } });
  const call = await world.call("act", {}, { signal: AbortSignal.abort() });
  expect(codeOf(call)).toBe("CANCELLED");
  expect(typesOf(call)).toEqual(["call.started", "call.errored"]);
  expect(acts).toBe(0);
});

test("a signal aborted during a call stops it all the way down, innermost first", async () => {
  const controller = new AbortController();
  let isTold = false;
  const world = openWorld({
    loops: [
      toolLoop("slow"),
      toolLoop("never"),
      compositeLoop("inner", [step("slow"), step("never")]),
      compositeLoop("outer", [step("inner"), step("never")]),
    ],
    tools: {
      slow: (_, { signal }) => {
        signal.addEventListener("abort", () => {
          isTold = true;
        });
        return new Promise(() => {});
      },
    },
  });
  const pending = world.call("outer", {}, { signal: controller.signal });
  await settle();
  controller.abort(new Error("changed my mind"));
  const call = await pending;
  expect(isTold).toBe(true);
  expect(codeOf(call)).toBe("CANCELLED");
  const errored = call.result.trace.filter((event) => event.type === "call.errored");
  expect(errored.map(({ payload }) => payload?.["code"])).toEqual(Array(3).fill("CANCELLED"));
  expect(errored.at(-1)?.callId).toBe(call.result.callId);
  expect(typesOf(call).filter((type) => type === "child.started")).toHaveLength(2);
});

test("a model is cancelled like a tool", async () => {
  const controller = new AbortController();
  const world = openWorld({
    loops: [promptLoop("ask")],
    models: { sample: scriptedModel([{ silence: true }]) },
  });
  const pending = world.call("ask", {}, { signal: controller.signal });
  await settle();
  controller.abort();
  expect(codeOf(await pending)).toBe("CANCELLED");
});

test("a tool that ignores its signal is no longer waited for", async () => {
  const controller = new AbortController();
  const world = openWorld({ loops: [toolLoop("deaf")], tools: { deaf: hang } });
  const pending = world.call("deaf", {}, { signal: controller.signal });
  await settle();
  controller.abort();
  expect(codeOf(await pending)).toBe("CANCELLED");
});

test("a signal that is aborted between two steps starts no further step", async () => {
  const controller = new AbortController();
  let acts = 0;
  const world = openWorld({
    loops: [
      toolLoop("cancel"),
      toolLoop("act"),
      compositeLoop("both", [step("cancel"), step("act")]),
    ],
    tools: {
      cancel: () => {
        // The tool has answered before anyone hears of the abort.
        void Promise.resolve().then(() => Promise.resolve().then(() => controller.abort()));
        return null;
      },
      act: () => acts++,
    },
  });
  expect(codeOf(await world.call("both", {}, { signal: controller.signal }))).toBe("CANCELLED");
  expect(acts).toBe(0);
});

test("a signal that is aborted after the call changes nothing", async () => {
  const controller = new AbortController();
  const world = openWorld({ loops: [toolLoop("act")], tools: { act: () => "done" } });
  const call = await world.call("act", {}, { signal: controller.signal });
  const before = JSON.stringify(call);
  controller.abort();
  await settle();
  expect(call.result).toMatchObject({ status: "ok", output: "done" });
  expect(JSON.stringify(call)).toBe(before);
});

test("a thousand calls may share one signal", async () => {
  const controller = new AbortController();
  const warnings: string[] = [];
  const hear = (warning: Error) => void warnings.push(warning.name);
  process.on("warning", hear);
  const world = openWorld({ loops: [toolLoop("deaf")], tools: { deaf: hang } });
  const pending = Array.from({ length: 1_000 }, () =>
    world.call("deaf", {}, { signal: controller.signal }),
  );
  await settle();
  controller.abort();
  const codes = new Set((await Promise.all(pending)).map(codeOf));
  await settle();
  process.off("warning", hear);
  expect([...codes]).toEqual(["CANCELLED"]);
  expect(warnings).toEqual([]);
});
