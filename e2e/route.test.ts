// Two cells, each with a folder and a server of its own, behind one router: as people use it.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePort } from "@turnseal/runtime/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeOf, createClient, KEYS, KEYS_FILE } from "./cells-client.ts";

const bin = fileURLToPath(new URL("../apps/cli/bin/turnseal.js", import.meta.url));
const agents = fileURLToPath(new URL("../apps/cli/src/__fixtures__/celled.mjs", import.meta.url));
const tags = { a: "00a", b: "00b" } as const;
type Name = keyof typeof tags;

let root = "";
const children: ChildProcess[] = [];
const ports = { a: 0, b: 0 };
let files = 0;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "turnseal-cells-"));
  writeFileSync(join(root, "keys.json"), KEYS_FILE);
  for (const name of ["a", "b"] as const) ports[name] = await findFreePort();
  await Promise.all([startCell("a"), startCell("b")]);
}, 60_000);
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

function startProcess(args: readonly string[], said: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [bin, ...args], { cwd: root });
  children.push(child);
  return new Promise((resolve, reject) => {
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += String(chunk);
      if (out.includes(said)) resolve(child);
    });
    child.once("exit", (code) => reject(new Error(`ended with ${code}: ${out}`)));
  });
}

function startCell(name: Name): Promise<ChildProcess> {
  const where = ["--store", name, "--cell", tags[name], "--port", String(ports[name])];
  return startProcess(["serve", "--from", agents, "--keys", "keys.json", ...where], "Press Ctrl-C");
}

function writeCells(more: object = {}): string {
  const cells = (["a", "b"] as const).map((name) => ({
    ...{ name, tag: tags[name], url: `http://127.0.0.1:${ports[name]}` },
  }));
  const file = join(root, `cells-${++files}.json`);
  writeFileSync(file, JSON.stringify({ cells, names: [["a", "b"]], ...more }));
  return file;
}

async function startRouter(more: object = {}) {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const cells = writeCells(more);
  const child = await startProcess(["route", "--cells", cells, "--port", String(port)], "Ctrl-C");
  return { url, child, ada: createClient(url), bob: createClient(url, KEYS.bob) };
}

async function until(look: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await look()) return;
    await sleep(50);
  }
  throw new Error("it did not happen in time");
}

describe("two cells behind a router", () => {
  let router: Awaited<ReturnType<typeof startRouter>>;
  beforeAll(async () => {
    router = await startRouter();
  }, 60_000);

  test("runs are in both, found by their ids, listed in order, and told things", async () => {
    const { ada, bob } = router;
    const started: string[] = [];
    while (started.length < 8 || new Set(started.map((run) => run.slice(0, 3))).size < 2)
      started.push(await ada.start("chat", { text: `word ${started.length}` }));
    expect(new Set(started.map((run) => run.slice(0, 3)))).toEqual(new Set(Object.values(tags)));
    // A run is listed from when a worker has looked at it.
    const all = { runs: started.toSorted(), missing: [] };
    await expect.poll(() => ada.listAll(200), { timeout: 30_000 }).toEqual(all);
    for (const limit of [1, 3]) expect(await ada.listAll(limit)).toEqual(all);
    for (const run of [started[0], started.at(-1)].map(String)) {
      const seen = await ada.readUntil(`runs/${run}/stream`, "scripted answer to: word");
      expect(seen).toContain("event: ");
      const told = await ada.post(`runs/${run}/messages`, { text: "and now", key: "1" });
      expect(told.status).toBe(202);
      await ada.readUntil(`runs/${run}/stream`, "scripted answer to: and now");
    }
    expect((await ada.ask("agents")).status).toBe(200);
    expect((await bob.ask("loops")).status).toBe(200);
  }, 60_000);

  test("what waits in either is in one inbox, and is decided through it", async () => {
    const { ada, bob } = router;
    const runs: string[] = [];
    while (new Set(runs.map((run) => run.slice(0, 3))).size < 2)
      runs.push(await ada.start("payer", { order: "A-1" }));
    const waiting = async () => (await bob.ask("inbox")).json["requests"] as { run: string }[];
    await until(async () => (await waiting()).length === runs.length);
    expect((await waiting()).map(({ run }) => run)).toEqual(runs.toSorted());
    for (const { run, ...request } of (await waiting()) as { run: string; id?: string }[]) {
      const approval = request.id;
      const decided = await bob.post(`runs/${run}/decisions`, { approval, choice: "approve" });
      expect(decided.status).toBe(202);
    }
    for (const run of runs)
      await until(async () => (await ada.ask(`runs/${run}`)).json["status"] === "done");
  }, 60_000);

  test("a key starts once, wherever it falls, and a chat goes on by its name", async () => {
    const { ada } = router;
    const names = Array.from({ length: 12 }, (_, index) => `order ${index}/ä`);
    const first = await Promise.all(names.map((name) => ada.start("chat", { text: "x" }, name)));
    expect(new Set(first.map((run) => run.slice(0, 3)))).toEqual(new Set(Object.values(tags)));
    for (const [index, name] of names.entries()) {
      expect(await ada.start("chat", { text: "x" }, name)).toBe(first[index]);
      expect((await ada.ask(`starts/${encodeURIComponent(name)}`)).status).toBe(204);
      const other = await ada.post("runs", { agent: "chat", input: { text: "y" }, key: name });
      expect(codeOf(other)).toBe("RUN_CONFLICT");
    }
    expect((await ada.ask("starts/never")).status).toBe(404);
  }, 60_000);

  test("who somebody is, the cell says; the router knows nobody", async () => {
    const nobody = createClient(router.url, "key-of-mallory");
    expect(codeOf(await nobody.ask("runs"))).toBe("CALLER_UNKNOWN");
    expect(codeOf(await nobody.post("runs", { agent: "chat", input: {} }))).toBe("CALLER_UNKNOWN");
    expect(codeOf(await router.ada.ask("loops"))).toBe("ROLE_MISSING");
  });

  test("what is no run, no route, no cursor or too long is refused as by a server", async () => {
    const { ada, url } = router;
    const id = "fff00000-0000-4000-8000-000000000000";
    expect(codeOf(await ada.ask(`runs/${id}`))).toBe("RUN_UNKNOWN");
    expect(codeOf(await ada.ask(`runs/00a${id.slice(3)}`))).toBe("RUN_UNKNOWN");
    expect(codeOf(await ada.ask("nothing"))).toBe("ROUTE_UNKNOWN");
    expect(codeOf(await ada.ask("runs?after=x"))).toBe("CURSOR_REFUSED");
    expect(codeOf(await ada.ask("runs?limit=0"))).toBe("BODY_REFUSED");
    const input = { text: "x".repeat(1024 * 1024 + 20_000) };
    expect(codeOf(await ada.post("runs", { agent: "chat", input }))).toBe("BODY_TOO_LARGE");
    expect(codeOf(await ada.post("runs", { agent: "chat", input: {}, key: 7 }))).toBe(
      "BODY_REFUSED",
    );
    expect(await askRaw(url, "http://elsewhere.example/v1/runs")).toBe(404);
  });

  test("health names the cells, and the file that the router has", async () => {
    const { json } = await router.ada.ask("health");
    expect(json).toEqual({
      status: "ok",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      cells: { a: "up", b: "up" },
    });
  });

  test("when one cell is killed the other goes on, and it comes back as it was", async () => {
    const { ada } = router;
    const [inA, inB] = [await startIn(ada, tags.a), await startIn(ada, tags.b)];
    const cell = children[1];
    cell?.removeAllListeners("exit");
    cell?.kill("SIGKILL");
    await until(async () => codeOf(await ada.ask(`runs/${inB}`)) === "CELL_AWAY");
    expect((await ada.post(`runs/${inA}/messages`, { text: "on", key: "k" })).status).toBe(202);
    await ada.readUntil(`runs/${inA}/stream`, "scripted answer to: on");
    for (let count = 0; count < 5; count++)
      expect(await ada.start("chat", { text: "anywhere" })).toMatch(/^00a/);
    const lost = await ada.post(`runs/${inB}/messages`, { text: "on", key: "k" });
    expect([lost.status, codeOf(lost)]).toEqual([503, "CELL_AWAY"]);
    const { runs, missing } = await ada.listAll(200);
    expect(missing).toEqual(["b"]);
    expect(runs.every((run) => run.startsWith(tags.a))).toBe(true);
    await startCell("b");
    await until(async () => (await ada.ask(`runs/${inB}`)).status === 200);
    expect((await ada.listAll(200)).runs).toContain(inB);
  }, 60_000);
});

async function startIn(client: ReturnType<typeof createClient>, tag: string): Promise<string> {
  for (;;) {
    const run = await client.start("chat", { text: "here" });
    if (run.startsWith(tag)) return run;
  }
}

/** As a client sends it that asks a proxy for another place. */
function askRaw(url: string, path: string): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once("error", reject);
    sent.end();
  });
}

describe("when a cell is added", () => {
  test("names that it takes over are found where they were, and start nothing twice", async () => {
    const alone = await startRouter({ names: [["a"]] });
    const names = Array.from({ length: 10 }, (_, index) => `before ${index}`);
    const first = await Promise.all(
      names.map((name) => alone.ada.start("chat", { text: "x" }, name)),
    );
    expect(first.every((run) => run.startsWith(tags.a))).toBe(true);
    const held = await startRouter({ names: [["a"], ["b"]], hold: true });
    const again = (at: Awaited<ReturnType<typeof startRouter>>) =>
      Promise.all(names.map((name) => at.ada.start("chat", { text: "x" }, name)));
    expect(await again(held)).toEqual(first);
    const later = { agent: "chat", input: { text: "x" }, key: "while they change" };
    expect(codeOf(await held.ada.post("runs", later))).toBe("NAME_HELD");
    const grown = await startRouter({ names: [["a"], ["b"]] });
    expect(await again(grown)).toEqual(first);
    expect(await grown.ada.start("chat", { text: "x" }, later.key)).toMatch(/^00b/);
    expect(await again(held)).toEqual(first);
    const id = first[0] ?? "";
    expect((await grown.ada.ask(`chats/chat/${id}/messages`)).json["sequence"]).not.toBe(0);
  }, 60_000);

  test("one with another tag than the file says is not used", async () => {
    const wrong = { name: "c", tag: "00c", url: `http://127.0.0.1:${ports.b}` };
    const cells = [{ name: "a", tag: "00a", url: `http://127.0.0.1:${ports.a}` }, wrong];
    const { ada } = await startRouter({ cells, names: [["c"]] });
    expect((await ada.ask("health")).json["cells"]).toEqual({ a: "up", c: "strange" });
    const named = { agent: "chat", input: { text: "x" }, key: "one" };
    expect(codeOf(await ada.post("runs", named))).toBe("CELL_AWAY");
    expect((await ada.listAll(200)).missing).toEqual(["c"]);
  }, 60_000);
});
