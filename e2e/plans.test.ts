// A plan under a real engine: proposed by one process, decided by others, carried out by workers
// that come and go.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Engine, findFreePort, startEngine } from "@turnseal/runtime/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  askServer,
  type CommandWorld,
  IDENTITY,
  openCommandWorld,
  type Running,
  statusOf,
  until,
} from "./command-world.ts";

const loops = fileURLToPath(new URL("../apps/cli/src/__fixtures__/planned.mjs", import.meta.url));
const plan = `
title = "Tell the north"

[[steps]]
id = "look"
loop = "look"
input = { region = "north" }

[[steps]]
id = "tell"
loop = "tell"
input = { to = { from = "$.look.output" }, text = "Hello" }
`;
const rules = `name = "plans"

[[rules]]
id = "tools"
decision = "ask"
tools = ["local.*"]
plan = "suffices"

[[rules]]
id = "rest"
decision = "allow"
`;

let world: CommandWorld;
let engine: Engine;
let ports: { readonly worker: number; readonly door: number };
let worker: Running | undefined;
let isDeployed = false;

const door = (path: string): string => `http://127.0.0.1:${ports.door}/${path}`;
const database = () => ["--postgres", world.databaseUrl];
const command = (...args: string[]) =>
  world.run(args, { TURNSEAL_HOST: engine.ingress, TURNSEAL_POSTGRES_URL: world.databaseUrl });
const admin = (...args: string[]) =>
  world.run(["deploy", ...args, "--admin", engine.admin, ...database()]);

async function startWorker(): Promise<void> {
  worker = world.start([
    ...["worker", "--from", loops, ...database(), "--admin", engine.admin],
    ...["--port", String(ports.worker), "--metrics-port", String(ports.door)],
    ...["--identity-key", IDENTITY.key],
  ]);
  await until(async () => ((await statusOf(door("health"))) === 200 ? true : undefined));
  if (!isDeployed) return;
  await until(async () => ((await statusOf(door("ready"))) === 200 ? true : undefined));
}

async function killWorker(): Promise<void> {
  worker?.child.kill("SIGKILL");
  await worker?.ended;
}

beforeAll(async () => {
  world = openCommandWorld();
  const folder = join(world.folder, "engine");
  mkdirSync(folder);
  writeFileSync(join(folder, "identity.pem"), IDENTITY.pem);
  writeFileSync(join(world.folder, "plan.toml"), plan);
  writeFileSync(join(world.folder, "rules.toml"), rules);
  engine = await startEngine({ folder });
  ports = { worker: await findFreePort(), door: await findFreePort() };
  await askServer(`create database ${new URL(world.databaseUrl).pathname.slice(1)}`);
  await world.run(["migrate", ...database()]);
  await startWorker();
  const url = `http://127.0.0.1:${ports.worker}`;
  const { out } = await admin("register", "--url", url, "--from", loops);
  const promoted = await admin("promote", /[0-9a-f]{16}/.exec(out)?.[0] ?? "");
  expect(promoted).toMatchObject({ code: 0, err: "" });
  isDeployed = true;
  await until(async () => ((await statusOf(door("ready"))) === 200 ? true : undefined));
});
afterAll(async () => {
  worker?.child.kill("SIGTERM");
  await worker?.ended;
  await engine?.kill();
  await world?.close();
});

async function propose(...more: string[]): Promise<string> {
  const { code, out, err } = await command(
    ...["plan", "propose", "plan.toml", "--from", loops, "--allow", "local.look,local.tell"],
    ...["--json", ...more],
  );
  expect(code, err).toBe(2);
  return (JSON.parse(out.split("\n")[0] ?? "") as { readonly run: string }).run;
}

async function expectDone(...args: string[]): Promise<string> {
  const { code, out, err } = await command(...args);
  expect({ args, code, err }).toEqual({ args, code: 0, err: "" });
  return out;
}

test("a plan outlives the worker that asked for it, and is carried out by the next", async () => {
  const run = await propose();
  expect(await expectDone("plan", "show", run)).toContain("plan  Tell the north  proposed");
  expect(await expectDone("inbox", run)).toContain('"Hello"');
  await killWorker();
  await startWorker();
  await expectDone("approve", run);
  await expectDone("plan", "run", run);
  const shown = await expectDone("plan", "show", run);
  expect(shown).toContain("plan  Tell the north  completed");
  expect(shown).toContain("completed tell");
  expect(await expectDone("replay", run, "--from", loops)).toContain("identical");
  expect(await expectDone("verify", run)).toContain("valid");
});

test("its approval is used for the step that stands in it, and not for the other", async () => {
  const run = await propose("--policy", "rules.toml");
  await expectDone("approve", run);
  expect((await command("plan", "run", run)).code).toBe(2);
  expect(await expectDone("plan", "show", run)).toContain("completed look");
  expect(await expectDone("inbox", run)).toContain("local.tell needs approval");
  await expectDone("approve", run);
  await expectDone("plan", "run", run);
  expect(await expectDone("explain", run)).toMatch(
    /local\.look .*with the plan, as its step 1 .*rule tools/,
  );
  expect(await expectDone("verify", run)).toContain("valid");
});

test("a plan that is rejected, or replaced by another, does nothing", async () => {
  const rejected = await propose();
  await expectDone("reject", rejected);
  expect((await command("plan", "run", rejected)).code).toBe(1);
  expect(await expectDone("plan", "show", rejected)).toContain("Tell the north  rejected");
  const replaced = await propose();
  await propose("--instead-of", replaced);
  expect((await command("plan", "run", replaced)).code).toBe(1);
  expect(await expectDone("plan", "show", replaced)).toContain("pending   look");
});
