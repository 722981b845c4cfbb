// `turnseal dev` as a person uses it: killed, interrupted, started twice, its engine's data lost.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type CommandWorld,
  isAlive,
  LOOPS,
  openCommandWorld,
  REPAIR_GRACE_MS,
  type Running,
  statusOf,
  until,
} from "./command-world.ts";

/** Five ports in a row that nobody else takes: dev cannot be told each. */
const ports = 29_000 + (process.pid % 400) * 5;
/** Long enough for everything to be killed before it is over. */
const HASTY_MS = 10_000;
let world: CommandWorld;
let place: string[];

beforeAll(() => {
  world = openCommandWorld();
  place = ["--host", `http://127.0.0.1:${ports}`, "--postgres", world.databaseUrl];
  const rule = '[[rules]]\nid = "all"\ndecision = "ask"\n';
  writeFileSync(join(world.folder, "asks.toml"), `name = "asks"\n\n${rule}`);
  const hasty = `${rule}decideWithinMs = ${HASTY_MS}\n`;
  writeFileSync(join(world.folder, "hasty.toml"), `name = "hasty"\n\n${hasty}`);
});
afterAll(async () => {
  for (const pid of [pidOf("restate"), pidOf("durable")])
    if (pid !== undefined && isAlive(pid)) process.kill(pid, "SIGKILL");
  await world?.close();
});

const pidOf = (name: string): number | undefined => {
  const file = join(world.folder, ".turnseal", name, "pid");
  return existsSync(file) ? Number(readFileSync(file, "utf8")) : undefined;
};

const devArgs = (): string[] => [
  ...["dev", "--from", LOOPS, "--postgres", world.databaseUrl, "--ports", String(ports)],
];

async function startDev(): Promise<Running> {
  const dev = world.start(devArgs());
  await until(() => (dev.out().includes("Press Ctrl-C to stop") ? true : undefined), 60_000);
  expect(await statusOf(`http://127.0.0.1:${ports + 4}/ready`)).toBe(200);
  return dev;
}

/** Kills what was started, without a word, and waits until it is gone. */
async function killAll(...names: readonly string[]): Promise<void> {
  for (const pid of names.map(pidOf)) {
    if (pid === undefined) throw new Error("nothing was started");
    process.kill(pid, "SIGKILL");
    await until(() => (isAlive(pid) ? undefined : true));
  }
}

const begin = (policy: string): string[] => [
  ...["run", "pay-by-key", "--from", LOOPS, "--allow", "local.pay-by-key"],
  ...["--input", JSON.stringify({ ledger: world.ledger, actMs: 1 })],
  ...["--policy", policy, "--json", ...place],
];

async function park(policy = "asks.toml"): Promise<string> {
  const { code, out } = await world.run(begin(policy));
  expect(code).toBe(2);
  return JSON.parse(out.split("\n")[0] ?? "").run;
}

async function expectPaid(run: string, times: number): Promise<void> {
  expect(await world.run(["approve", run, ...place])).toMatchObject({ code: 0 });
  expect(await world.run(["resume", run, ...place])).toMatchObject({ code: 0 });
  expect(await world.run(["verify", run, ...place])).toMatchObject({ code: 0 });
  expect(world.readLedger()).toHaveLength(times);
}

test("a parked run goes on after everything was killed; then all is stopped", async () => {
  await startDev();
  const second = await world.run(devArgs());
  expect(second).toMatchObject({
    code: 64,
    err: expect.stringContaining("is already running here"),
  });
  const run = await park();
  await killAll("durable", "restate");
  const dev = await startDev();
  await expectPaid(run, 1);
  dev.child.kill("SIGINT");
  expect((await dev.ended).code).toBe(0);
  expect([pidOf("restate"), pidOf("durable")]).toEqual([undefined, undefined]);
  expect(await statusOf(`http://127.0.0.1:${ports}/restate/health`)).toBeUndefined();
}, 120_000);

test("an engine that was left behind is replaced, and its data may be lost", async () => {
  await startDev();
  const run = await park();
  const left = pidOf("restate") ?? 0;
  await killAll("durable");
  expect(isAlive(left)).toBe(true);
  await startDev();
  expect(isAlive(left)).toBe(false);
  const lost = await park();
  const hasty = await park("hasty.toml");
  await killAll("durable", "restate");
  const stateOf = async (id: string) =>
    JSON.parse((await world.run(["show", id, "--json", ...place])).out);
  expect((await stateOf(hasty)).state).not.toBe("stopped");
  // With its data the engine forgets every message and every timer; the database forgets nothing.
  rmSync(join(world.folder, ".turnseal", "restate"), { recursive: true });
  await sleep(HASTY_MS + REPAIR_GRACE_MS);
  const last = await startDev();
  // Nobody was there when its time came, and the timer is gone.
  await until(async () => ((await stateOf(hasty)).state === "stopped" ? true : undefined));
  expect(await stateOf(hasty)).toMatchObject({ reason: "approval-expired" });
  await expectPaid(run, 2);
  await expectPaid(lost, 3);
  last.child.kill("SIGTERM");
  await last.ended;
}, 120_000);

test("an engine that dies takes dev with it, which says so", async () => {
  const dev = await startDev();
  await killAll("restate");
  const ended = await dev.ended;
  expect(ended.code).toBe(1);
  expect(ended.err).toContain("the engine has exited");
}, 120_000);
