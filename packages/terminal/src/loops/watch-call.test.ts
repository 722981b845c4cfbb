// The watch is fed by real calls: what it shows is what the executor says.
import { stripVTControlCharacters } from "node:util";
import { bindTools, createExecutor, createRegistry } from "@turnseal/kernel";
import { manualClock, scriptedModel, seededIds, type Tool } from "@turnseal/ports";
import { expect, test } from "vitest";
import { createScreen, type Screen } from "../screen/screen.ts";
import { watchCall } from "./watch-call.ts";

interface Recording {
  readonly screen: Screen;
  readonly chunks: string[];
}

function record(isTTY: boolean, size = { columns: 50, rows: 24 }): Recording {
  const chunks: string[] = [];
  const write = (chunk: string | Uint8Array): boolean => chunks.push(String(chunk)) > 0;
  return { screen: createScreen({ isTTY, write, ...size }, {}), chunks };
}

const open = { version: "1.0.0", inputSchema: true, outputSchema: true };
const ask = { ...open, id: "ask", name: "ask", kind: "prompt" };
const act = {
  ...open,
  id: "act",
  name: "act",
  kind: "tool",
  tool: { implementation: "local.act" },
};
const both = { ...open, id: "both", name: "both", kind: "composite" };
const step = (loopId: string): object => ({ loopId, inputMapping: {} });

async function watch({ screen }: Recording, run: Tool): Promise<void> {
  const registry = createRegistry();
  registry.register({ ...ask, prompt: { template: "hello", variables: [] } });
  registry.register(act);
  registry.register({ ...both, composite: { steps: [step("ask"), step("act")] } });
  const clock = manualClock();
  const usage = { inputTokens: 10, outputTokens: 14 };
  const models = { scripted: scriptedModel([{ text: "hi", usage }]) };
  const tools = bindTools({ "local.act": run });
  const watched = watchCall(screen);
  const executor = createExecutor({ registry, clock, ids: seededIds("watch"), models, tools });
  await executor.call("both", {}, { sink: watched.sink });
  watched.finish();
}

const speak: Tool = (_, context) => {
  context.log("warn", "\u001b[31mcareful\nnow");
  context.emit("acme.cache.hit");
  return {};
};

test("in a pipe each call has a line when it begins and one when it ends", async () => {
  const recording = record(false);
  await watch(recording, speak);
  expect(recording.chunks.join("")).toBe(`▸ both 1.0.0
  ▸ ask 1.0.0
    ✓ model scripted 10 tokens in, 14 out  0 ms
  ✓ ask 1.0.0  0 ms
  ▸ act 1.0.0
    warn \\u001b[31mcareful\\nnow
    event acme.cache.hit
    ✓ tool local.act  0 ms
  ✓ act 1.0.0  0 ms
✓ both 1.0.0  0 ms
`);
});

test("in a terminal the finished tree takes the place of every earlier drawing", async () => {
  const recording = record(true);
  await watch(recording, speak);
  const last = recording.chunks.at(-1) ?? "";
  expect(last.startsWith("\r\u001b[7A\u001b[J")).toBe(true);
  expect(stripVTControlCharacters(last).replace("\r", "").split("\n")).toEqual([
    "✓ both 1.0.0                                 0 ms",
    "  ✓ ask 1.0.0                                0 ms",
    "    ✓ model scripted 10 tokens in, 14 out    0 ms",
    "  ✓ act 1.0.0                                0 ms",
    "    ✓ tool local.act                         0 ms",
    "    warn \\u001b[31mcareful\\nnow",
    "    event acme.cache.hit",
    "",
  ]);
});

test("a failure is marked on the way up, with its code and first problem", async () => {
  const recording = record(false);
  await watch(recording, () => Promise.reject(new Error("broken")));
  expect(recording.chunks.slice(-3)).toEqual([
    "    ✗ tool local.act  0 ms\n",
    "  ✗ act 1.0.0 TOOL_FAILED  0 ms\n",
    "✗ both 1.0.0 CHILD_FAILED  0 ms\n",
  ]);
});

test("a drawing takes no more rows than the window has, until the tree is finished", async () => {
  const recording = record(true, { columns: 50, rows: 4 });
  await watch(recording, speak);
  const heights = recording.chunks.map((chunk) => chunk.split("\n").length - 1);
  expect(Math.max(...heights.slice(0, -1))).toBe(3);
  expect(heights.at(-1)).toBe(7);
});

test("no drawing is wider than the window", async () => {
  const recording = record(true, { columns: 20, rows: 24 });
  await watch(recording, speak);
  const lines = recording.chunks.flatMap((chunk) =>
    stripVTControlCharacters(chunk).split(/[\r\n]/),
  );
  expect(Math.max(...lines.map((text) => text.length))).toBeLessThan(20);
});

test("a terminal is redrawn while a tool is slow", async () => {
  const recording = record(true);
  let drawnBefore = 0;
  await watch(recording, async () => {
    drawnBefore = recording.chunks.length;
    await new Promise((resolve) => setTimeout(resolve, 350));
    return {};
  });
  // Three events follow the tool, and the finished tree.
  expect(recording.chunks.length - drawnBefore).toBeGreaterThan(4);
});
