// A run that others carry, followed in this process: a host beside it is their worker.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileKeys } from "@turnseal/adapters/keys";
import type { RunLists } from "@turnseal/adapters/postgres";
import { createLocalHost } from "@turnseal/host";
import { memoryStores, systemClock } from "@turnseal/ports";
import { defineTool } from "@turnseal/protocol/authoring";
import { createScreen } from "@turnseal/terminal";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import type { Ask } from "../../inbox/ask-in-place.ts";
import { readWritten } from "../../read-written.test.data.ts";
import { watchEngineRun } from "./drive-run.ts";

const root = mkdtempSync(join(tmpdir(), "turnseal-drive-"));
afterAll(() => rmSync(root, { recursive: true }));

const tool = defineTool({
  ...{ id: "touch", version: "1.0.0", effect: "idempotent" },
  input: z.object({}),
  output: z.object({}),
  run: () => ({}),
});

async function start() {
  const stores = { ...memoryStores(systemClock), close: () => {} };
  const signer = await fileKeys({ folder: root }).openSigner();
  const host = createLocalHost({ loops: [tool], stores, signer });
  const policy = {
    name: "ask",
    rules: [{ id: "all", decision: "ask" as const, tools: ["local.touch"] }],
  };
  const grant = { grantor: "ada", tools: ["local.touch"], budget: {} };
  const run = await host.start(tool, {}, { grant, policy });
  await host.drive(run);
  const [look, lookAll] = [async () => {}, async () => {}];
  const engine = {
    lists: {} as RunLists,
    look,
    lookAll,
    listReleases: async () => [],
    listArchived: async () => [],
    listKeys: async () => [],
  };
  const seen: number[] = [];
  const watch = {
    onEvent: ({ sequence }: { readonly sequence: number }) => void seen.push(sequence),
    finish: () => {},
  };
  const follow = async (ask?: Ask) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const terminal = { out: createScreen(stdout, {}), err: createScreen(stderr, {}) };
    const subject = { run, folder: { path: root, stores }, watch, ask };
    const code = await watchEngineRun(subject, engine, { terminal });
    return { code, out: readWritten(stdout) };
  };
  return { host, run, seen, follow };
}

test("whoever is there is asked, and the run is followed on from where it was", async () => {
  const { host, run, seen, follow } = await start();
  const ask: Ask = async ({ openTurn }) => {
    const [{ id } = { id: "" }] = openTurn?.asked ?? [];
    await host.decide(run, id, { choice: "approve", by: { id: "ada", roles: [] } });
    void host.drive(run);
    return true;
  };
  const { code, out } = await follow(ask);
  expect(code).toBe(0);
  expect(out).toContain("stopped: goal-reached");
  // Every event once, also the ones before the first question.
  expect(seen).toEqual(seen.map((_, index) => index + 1));
});

test("where nobody is, or says nothing, the run waits", async () => {
  const { follow } = await start();
  expect((await follow()).code).toBe(2);
  expect((await follow(async () => false)).code).toBe(2);
});
