// Real inference: a model that runs on this machine asks for tools, streams its answer, and what it
// did is sealed; also when its process is killed in the middle.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { memoryLiveBus } from "@turnseal/ports";
import { isClaimOf, isSettledOf, type JsonValue, type LoopEvent } from "@turnseal/protocol";
import type { LiveDelta } from "@turnseal/protocol/streaming";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type LlamaWorld, openLlamaWorld } from "./llama-world.ts";
import { openWeatherDesk, type WeatherDesk } from "./weather-desk.ts";

const worker = fileURLToPath(new URL("real-model.test.process.ts", import.meta.url));

let llama: LlamaWorld;
beforeAll(async () => {
  llama = await openLlamaWorld();
});
afterAll(() => llama.close());

let folder: string;
let desk: WeatherDesk;
let requestsBefore: number;
const live = memoryLiveBus();
const executed: [name: string, input: JsonValue][] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "turnseal-real-model-"));
  executed.splice(0);
  requestsBefore = llama.requestCount();
  desk = await openWeatherDesk({
    folder,
    url: llama.url,
    live,
    onTool: (name, input) => void executed.push([name, input]),
  });
});
afterEach(() => {
  llama.release();
  for (const child of children.splice(0)) child.kill("SIGKILL");
  desk.stores.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const read = (run: string): Promise<readonly LoopEvent[]> => desk.stores.log.read(run, 1);

/** Every request that reached the model is in the log: settled, or given up as orphaned. */
async function expectAccounted(run: string): Promise<void> {
  const events = await read(run);
  const settled = events.filter((event) => isSettledOf("model", event));
  const orphaned = events.filter(
    (event) => event.type === "action.resolved" && event.content.resolution === "orphaned",
  );
  const claimed = events.filter((event) => isClaimOf("model", event));
  expect(settled.length + orphaned.length).toBe(llama.requestCount() - requestsBefore);
  expect(claimed).toHaveLength(settled.length + orphaned.length);
}

describe("a model that asks for a tool and answers with its result", () => {
  test.each([
    ["weather in Oslo", ["get_weather", { city: "Oslo" }], "It is sunny in Oslo."],
    ["add 2 and 3", ["add", { a: 2, b: 3 }], "The sum is 5."],
  ])("%s", async (question, tool, answer) => {
    const run = await desk.start(question);
    const told: LiveDelta[] = [];
    const watch = live.watch(run, { delta: (delta) => void told.push(delta), moved: () => {} });
    await desk.host.drive(run);
    watch.close();
    expect(executed).toEqual([tool]);
    expect(told.length).toBeGreaterThan(1);
    expect(told.map(({ text }) => text).join("")).toBe(answer);
    expect(await desk.host.show(run)).toMatchObject({ stopped: "goal-reached" });
    expect(await desk.verify(run)).toEqual([]);
    expect(llama.requestCount() - requestsBefore).toBe(2);
    await expectAccounted(run);
  });
});

describe("a process that is killed", () => {
  /** Starts a process that carries the run, and kills it when it has said this. */
  async function killWhen(run: string, said: object, env: Record<string, string> = {}) {
    const args = ["--conditions=turnseal-source", worker, folder, llama.url, run];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const ended = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
    const wanted = JSON.stringify(said);
    for await (const line of createInterface(child.stdout)) if (line === wanted) break;
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
  }

  async function expectResumed(run: string): Promise<void> {
    await desk.host.drive(run);
    const events = await read(run);
    expect(events.map(({ type }) => type)).toContain("turn.resumed");
    expect(await desk.host.show(run)).toMatchObject({ stopped: "goal-reached" });
    expect(await desk.verify(run)).toEqual([]);
    await expectAccounted(run);
  }

  test("while a tool is executed is resumed to a verified end", async () => {
    const run = await desk.start("weather in Lima");
    await killWhen(run, { tool: "get_weather" }, { TURNSEAL_TEST_SLOW_TOOL: "yes" });
    expect(await desk.verify(run)).not.toEqual([]);
    await expectResumed(run);
    expect(executed).toEqual([["get_weather", { city: "Lima" }]]);
    expect(llama.requestCount() - requestsBefore).toBe(2);
  });

  test("while the answer streams is resumed to a verified end", async () => {
    llama.hold(3);
    const run = await desk.start("weather in Rome");
    await killWhen(run, { kind: "text", text: "I" });
    llama.release();
    await expectResumed(run);
    expect(executed).toEqual([]);
    expect(llama.requestCount() - requestsBefore).toBe(3);
  });
});
