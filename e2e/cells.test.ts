// Two cells, each with an engine, a worker, a database and a server of its own, behind one router.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "@turnseal/runtime/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf, createClient, KEYS, KEYS_FILE } from "./cells-client.ts";
import { type CommandWorld, openCommandWorld, type Running, until } from "./command-world.ts";

const AGENTS = fileURLToPath(new URL("../apps/cli/src/__fixtures__/celled.mjs", import.meta.url));
const ports = 33_000 + (process.pid % 400) * 10;

interface RunningCell {
  readonly tag: string;
  readonly url: string;
  readonly world: CommandWorld;
  readonly dev: Running;
  readonly server: Running;
}

const cells: RunningCell[] = [];
let url = "";

beforeAll(async () => {
  for (const [index, tag] of ["00a", "00b"].entries())
    cells.push(await openCell(tag, ports + index * 5));
  const [first, second] = cells;
  const file = join(first?.world.folder ?? "", "cells.json");
  const rows = cells.map(({ tag, url: at }, index) => ({ name: "ab"[index], tag, url: at }));
  writeFileSync(file, JSON.stringify({ cells: rows, names: [["a", "b"]] }));
  const port = String(await findFreePort());
  const router = second?.world.start(["route", "--cells", file, "--port", port]);
  url = await until(() => /serving (\S+)/.exec(router?.out() ?? "")?.[1]);
}, 240_000);

afterAll(async () => {
  for (const { dev, world } of cells) {
    // Told to stop, it takes its engine with it.
    dev.child.kill("SIGTERM");
    await dev.ended;
    await world.close();
  }
}, 60_000);

async function openCell(tag: string, enginePorts: number): Promise<RunningCell> {
  const world = openCommandWorld();
  writeFileSync(join(world.folder, "keys.json"), KEYS_FILE);
  const dev = world.start([
    ...["dev", "--from", AGENTS, "--postgres", world.databaseUrl],
    ...["--ports", String(enginePorts)],
  ]);
  await until(() => dev.out().includes("Press Ctrl-C to stop") || undefined, 120_000);
  const server = world.start([
    ...["serve", "--from", AGENTS, "--keys", "keys.json", "--port", String(await findFreePort())],
    ...["--host", `http://127.0.0.1:${enginePorts}`, "--postgres", world.databaseUrl],
    ...["--cell", tag],
  ]);
  const at = await until(() => /serving (\S+)/.exec(server.out())?.[1], 60_000);
  return { tag, url: at, world, dev, server };
}

test("runs of two engines are started, listed, decided and watched at one address", async () => {
  const [ada, bob] = [createClient(url), createClient(url, KEYS.bob)];
  const runs: string[] = [];
  while (new Set(runs.map((run) => run.slice(0, 3))).size < 2)
    runs.push(await ada.start("payer", { order: "A-1" }));
  const waiting = async () => (await bob.ask("inbox")).json["requests"] as Waiting[];
  await until(async () => (await waiting()).length === runs.length || undefined);
  expect((await ada.listAll(1)).runs).toEqual(runs.toSorted());
  for (const { run, id } of await waiting()) {
    const decided = await bob.post(`runs/${run}/decisions`, { approval: id, choice: "approve" });
    expect(decided.status).toBe(202);
  }
  for (const run of runs)
    await until(async () => (await ada.ask(`runs/${run}`)).json["status"] === "done" || undefined);
  const named = await ada.start("chat", { text: "one" }, "order-7");
  expect(await ada.start("chat", { text: "one" }, "order-7")).toBe(named);
  await ada.readUntil(`runs/${named}/stream`, "scripted answer to: one");
}, 120_000);

interface Waiting {
  readonly run: string;
  readonly id: string;
}

test("a cell that is gone takes its own runs along, and no others", async () => {
  const ada = createClient(url);
  const [first, second] = cells;
  const startIn = async (tag: string | undefined) => {
    for (;;) {
      const run = await ada.start("chat", { text: "here" });
      if (run.startsWith(tag ?? "")) return run;
    }
  };
  const [inA, inB] = [await startIn(first?.tag), await startIn(second?.tag)];
  second?.server.child.kill("SIGKILL");
  second?.dev.child.kill("SIGTERM");
  await until(async () => codeOf(await ada.ask(`runs/${inB}`)) === "CELL_AWAY" || undefined);
  expect((await ada.listAll(100)).missing).toEqual(["b"]);
  expect((await ada.post(`runs/${inA}/messages`, { text: "on", key: "k" })).status).toBe(202);
  await ada.readUntil(`runs/${inA}/stream`, "scripted answer to: on");
  for (let count = 0; count < 4; count++) expect(await startIn(undefined)).toMatch(/^00a/);
}, 120_000);
