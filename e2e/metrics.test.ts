// The metrics of workers and servers, and the rules and pages made from them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "@turnseal/runtime/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  askServer,
  type CommandWorld,
  LOOPS,
  openCommandWorld,
  type Running,
  until,
} from "./command-world.ts";

const REDIS = new URL(process.env["TURNSEAL_TEST_REDIS_URL"] ?? "redis://127.0.0.1:6379");
const SERVED = fileURLToPath(new URL("../apps/cli/src/__fixtures__/served.mjs", import.meta.url));
const fileOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const readText = (path: string): string => readFileSync(fileOf(path), "utf8");
const RULES = "deploy/prometheus/turnseal-rules.yaml";

let world: CommandWorld;
let network: Network;
let worker: Running;
let server: Running;
let doors: { readonly worker: string; readonly server: string };

beforeAll(async () => {
  world = openCommandWorld();
  network = await openNetwork();
  await askServer(`create database ${new URL(world.databaseUrl).pathname.slice(1)}`);
  expect((await world.run(["migrate", "--postgres", world.databaseUrl])).code).toBe(0);
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()];
  const place = ["--postgres", world.databaseUrl, "--redis", network.url];
  worker = world.start([
    ...["worker", "--from", LOOPS, ...place, "--insecure-no-identity", "--tenant", "acme"],
    ...["--port", String(await findFreePort()), "--metrics-port", String(ports[0])],
  ]);
  const sha256 = createHash("sha256").update("key-of-ada").digest("hex");
  const keys = [{ sha256, tenant: "acme", id: "ada" }];
  writeFileSync(join(world.folder, "keys.json"), JSON.stringify({ keys }));
  server = world.start([
    ...["serve", "--from", SERVED, ...place, "--keys", "keys.json"],
    // Nobody is there: what is read is read all the same.
    ...["--host", "http://127.0.0.1:1", "--tenant", "acme"],
    ...["--port", String(ports[1]), "--metrics-port", String(ports[2])],
  ]);
  doors = { worker: `http://127.0.0.1:${ports[0]}`, server: `http://127.0.0.1:${ports[2]}` };
  for (const door of [doors.worker, doors.server])
    await until(async () => (await ask(`${door}/health`))?.status === 200 || undefined);
});
afterAll(async () => {
  for (const running of [worker, server]) {
    running?.child.kill("SIGTERM");
    await running?.ended;
  }
  await network?.close();
  await world?.close();
});

interface Network {
  readonly url: string;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Redis behind a network that can be cut. */
async function openNetwork(): Promise<Network> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const proxy: Server = createServer((client) => {
    if (isCut) return void client.destroy();
    const upstream = connect(Number(REDIS.port || 6379), REDIS.hostname);
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => to.destroy());
      from.pipe(to);
    }
  });
  const port = await findFreePort();
  await new Promise<void>((resume) => proxy.listen(port, "127.0.0.1", resume));
  return {
    url: `redis://127.0.0.1:${port}`,
    cut: () => {
      isCut = true;
      end();
    },
    mend: () => {
      isCut = false;
    },
    close: async () => {
      end();
      await new Promise((resume) => proxy.close(resume));
    },
  };
}

async function ask(url: string): Promise<{ status: number; text: string } | undefined> {
  return fetch(url).then(
    async (answer) => ({ status: answer.status, text: await answer.text() }),
    () => undefined,
  );
}

const readMetrics = async (door: string): Promise<string> =>
  (await ask(`${door}/metrics`))?.text ?? "";

/** Metrics by name, with their types, as a process gives them. */
async function listMetrics(door: string): Promise<Map<string, string>> {
  const types = (await readMetrics(door)).matchAll(/^# TYPE (\S+) (\S+)$/gm);
  return new Map([...types].map(([, name = "", type = ""]) => [name, type]));
}

async function listAll(): Promise<Map<string, string>> {
  return new Map([...(await listMetrics(doors.worker)), ...(await listMetrics(doors.server))]);
}

/** The metrics that an expression names and nobody gives. */
function findUnknown(expression: string, known: ReadonlyMap<string, string>): string[] {
  const named = expression.match(/\b(?:turnseal|process)_[a-z_]+/g) ?? [];
  return named.filter((name) => {
    const base = name.replace(/_(bucket|sum|count)$/, "");
    return !known.has(name) && known.get(base) !== "histogram";
  });
}

test("every metric of a worker and of a server is documented, and none else is", async () => {
  const documented = readText("docs/operate/metrics.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => line.split("|")[1]?.match(/\b(?:turnseal|process)_[a-z_]+/g) ?? []);
  expect(documented.toSorted()).toEqual([...(await listAll()).keys()].toSorted());
});

test("rules and dashboard name what is given, and each alert says what to do", async () => {
  const known = await listAll();
  const rules = readText(RULES);
  expect(findUnknown(rules, known)).toEqual([]);
  const { panels } = JSON.parse(readText("deploy/grafana/turnseal.json"));
  const asked: string[] = panels.flatMap((panel: { targets?: { expr: string }[] }) =>
    (panel.targets ?? []).map(({ expr }) => expr),
  );
  expect(asked.length).toBeGreaterThan(30);
  expect(findUnknown(asked.join("\n"), known)).toEqual([]);
  expect(findUnknown("rate(turnseal_nothing_total[5m])", known)).toHaveLength(1);
  // What nobody looks at need not be counted.
  const used = `${rules}\n${asked.join("\n")}`;
  expect([...known.keys()].filter((name) => !used.includes(name))).toEqual([]);
  const alerts = [...rules.matchAll(/^ {6}- alert: (\w+)$/gm)].map(([, name]) => name ?? "");
  const page = readText("docs/operate/alerts.md");
  const headings = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(headings).toEqual(alerts);
  for (const name of alerts)
    expect(rules).toContain(`docs/operate/alerts.md#${name.toLowerCase()}`);
});

test("Prometheus takes the rules, and they fire when they should", () => {
  const program = process.env["TURNSEAL_PROMTOOL"] ?? "promtool";
  const folder = fileOf("deploy/prometheus");
  const run = (...args: string[]) => spawnSync(program, args, { cwd: folder, encoding: "utf8" });
  if (run("--version").error !== undefined) {
    const missing = "promtool is missing (Debian: prometheus), or TURNSEAL_PROMTOOL is wrong";
    if (process.env["CI"] !== undefined) throw new Error(missing);
    console.warn(`NOT CHECKED: ${missing}`);
    return;
  }
  for (const args of [
    ["check", "rules", "turnseal-rules.yaml"],
    ["test", "rules", "turnseal-rules-test.yaml"],
  ]) {
    const { status, stdout, stderr } = run(...args);
    expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
  }
});

test("Redis that goes away is in log, metrics and /ready, once for each change", async () => {
  const told = (what: string): number => worker.out().split(`"what":"${what}"`).length - 1;
  expect(await ask(`${doors.worker}/ready`)).toEqual({ status: 200, text: "ready\n" });
  await until(
    async () => /^turnseal_redis_up 1$/m.test(await readMetrics(doors.worker)) || undefined,
  );
  network.cut();
  await until(() => told("redis.away") > 0 || undefined);
  expect(await ask(`${doors.worker}/ready`)).toEqual({
    status: 200,
    text: expect.stringMatching(/^ready\nnote: Redis is away: rate limits are not kept/),
  });
  for (const door of [doors.worker, doors.server])
    expect(await readMetrics(door)).toMatch(/^turnseal_redis_up 0$/m);
  network.mend();
  await until(() => told("redis.back") > 0 || undefined);
  expect([told("redis.away"), told("redis.back")]).toEqual([1, 1]);
  expect(await ask(`${doors.worker}/ready`)).toEqual({ status: 200, text: "ready\n" });
});

test("a server counts requests by route, and says why it is not ready", async () => {
  const url = await until(() => /serving (\S+)/.exec(server.out())?.[1]);
  const run = "7d0a3a5e-51c5-4c4f-8f39-8f0f6b1f2a3b";
  const headers = { authorization: "Bearer key-of-ada" };
  expect((await fetch(`${url}/v1/runs/${run}`, { headers })).status).toBe(404);
  expect((await fetch(`${url}/v1/health`)).status).toBe(200);
  expect((await fetch(`${url}/anything/else`, { headers })).status).toBe(404);
  const metrics = await readMetrics(doors.server);
  for (const line of [
    'turnseal_http_requests_total{method="GET",route="/v1/runs/:run",status="404"} 1',
    'turnseal_http_requests_total{method="GET",route="/v1/health",status="200"} 1',
    'turnseal_http_requests_total{method="GET",route="none",status="404"} 1',
  ])
    expect(metrics.split("\n")).toContain(line);
  expect(metrics).not.toContain(run);
  expect(await ask(`${doors.server}/ready`)).toEqual({
    status: 503,
    text: "not ready: the engine does not answer\n",
  });
});
