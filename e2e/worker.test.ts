// Workers as an operator runs them: processes that are started, drained, refused and lost.
import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:http2";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgresStores } from "@turnseal/adapters/postgres";
import { createLocalHost } from "@turnseal/host";
import { createMemorySigner } from "@turnseal/ports";
import type { Loop } from "@turnseal/protocol/authoring";
import { type Engine, findFreePort, startEngine } from "@turnseal/runtime/engine";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  askServer,
  type CommandWorld,
  IDENTITY,
  LOOPS,
  openCommandWorld,
  REPAIR_GRACE_MS,
  type Running,
  statusOf,
  until,
} from "./command-world.ts";

let world: CommandWorld;
let engine: Engine;
let ports: { readonly worker: number; readonly door: number };
let place: string[];
const workers: Running[] = [];

beforeAll(async () => {
  world = openCommandWorld();
  const folder = join(world.folder, "engine");
  mkdirSync(folder);
  writeFileSync(join(folder, "identity.pem"), IDENTITY.pem);
  engine = await startEngine({ folder });
  ports = { worker: await findFreePort(), door: await findFreePort() };
  await askServer(`create database ${new URL(world.databaseUrl).pathname.slice(1)}`);
  const migrated = await world.run(["migrate", "--postgres", world.databaseUrl]);
  expect(migrated).toMatchObject({ code: 0, out: expect.stringContaining("applied 1") });
  place = ["--host", engine.ingress, "--postgres", world.databaseUrl];
});
afterEach(async () => {
  for (const worker of workers.splice(0)) {
    worker.child.kill("SIGTERM");
    await worker.ended;
  }
});
afterAll(async () => {
  await engine?.kill();
  await world?.close();
});

const door = (path: string): string => `http://127.0.0.1:${ports.door}/${path}`;

async function startWorker(...more: string[]): Promise<Running> {
  const worker = world.start([
    ...["worker", "--from", LOOPS, "--postgres", world.databaseUrl, "--admin", engine.admin],
    ...["--port", String(ports.worker), "--metrics-port", String(ports.door)],
    ...["--identity-key", IDENTITY.key, ...more],
  ]);
  workers.push(worker);
  await until(async () => ((await statusOf(door("health"))) === 200 ? true : undefined));
  if (!isDeployed) await deploy();
  isDeployed = true;
  await until(async () => ((await statusOf(door("ready"))) === 200 ? true : undefined));
  return worker;
}

/** Once: a worker that is started again has nothing to say of it. */
let isDeployed = false;
const deployCommand = (...args: string[]) =>
  world.run(["deploy", ...args, "--admin", engine.admin, "--postgres", world.databaseUrl]);

async function deploy(): Promise<void> {
  const askReady = async () => (await fetch(door("ready"))).text();
  expect(await askReady()).toMatch(/^not ready: release [0-9a-f]{16} is not registered\n$/);
  const url = `http://127.0.0.1:${ports.worker}`;
  const registered = await deployCommand("register", "--url", url, "--from", LOOPS);
  expect(registered.err).toBe("");
  const name = /[0-9a-f]{16}/.exec(registered.out)?.[0] ?? "";
  expect(await askReady()).toBe(
    `not ready: release ${name} is not the promoted one: none with a name is\n`,
  );
  expect(await deployCommand("promote", name)).toMatchObject({ code: 0, err: "" });
  const status = JSON.parse((await deployCommand("status", "--json")).out);
  expect(status).toMatchObject({ promoted: name, releases: [{ name, state: "promoted" }] });
  const removed = await deployCommand("remove", name);
  expect(removed).toMatchObject({ code: 1 });
  expect(removed.err).toContain(`release ${name} is the promoted one`);
}

const begin = (actMs: number, ...more: string[]): string[] => [
  ...["run", "pay-by-key", "--from", LOOPS, "--allow", "local.pay-by-key", ...place],
  ...["--input", JSON.stringify({ ledger: world.ledger, actMs, note: "CANARY-CONTENT" })],
  ...more,
];

test("a worker that is told to stop ends what it began, takes nothing more, and goes", async () => {
  const first = await startWorker();
  const started = await world.run(begin(2_500, "--detach", "--json"));
  const { run } = JSON.parse(started.out);
  await until(() => (world.readLedger().length > 0 ? true : undefined));
  first.child.kill("SIGTERM");
  await until(async () => ((await statusOf(door("ready"))) === 503 ? true : undefined));
  expect(await statusOf(door("health"))).toBe(200);
  const ended = await first.ended;
  expect(ended.code).toBe(0);
  // The turn that it began is in the log and sealed: no other worker has to resolve it.
  const shown = JSON.parse((await world.run(["show", run, "--json", ...place])).out);
  expect(shown).toMatchObject({ state: "stopped", reason: "goal-reached" });
  expect(world.readLedger()).toHaveLength(1);
  const said = ended.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(said.map(({ what }) => what)).toEqual(
    expect.arrayContaining(["worker.started", "turn.closed", "worker.draining", "worker.stopped"]),
  );
  expect(said.at(-1)).toMatchObject({ what: "worker.stopped", isEnded: true });
  expect(ended.out + ended.err).not.toContain("CANARY-CONTENT");
});

test("what is started while no worker is there waits for one", async () => {
  const following = world.start(begin(10));
  await sleep(500);
  await startWorker();
  expect((await following.ended).code).toBe(0);
  // Without a grant for its tool the turn is denied: the run has failed.
  const denied = await world.run(begin(10, "--allow", "local.other"));
  expect(denied.code).toBe(1);
  const metrics = await (await fetch(door("metrics"))).text();
  const [of, tool] = [
    'tenant="default",loop="pay-by-key"',
    'action="tool",name="local.pay-by-key"',
  ];
  for (const line of [
    `turnseal_turns_total{${of},outcome="completed"} 1`,
    `turnseal_actions_total{loop="pay-by-key",${tool},status="ok"} 1`,
    `turnseal_action_seconds_count{${tool}} 1`,
  ])
    expect(metrics.split("\n")).toContain(line);
});

test("a promise that a tool leaves to itself ends no worker, and is told", async () => {
  const worker = await startWorker();
  const astray = begin(50, "--json").map((arg) => arg.replace("pay-by-key", "pay-astray"));
  const { code, out } = await world.run(astray);
  expect(code).toBe(0);
  const { run } = JSON.parse(out.split("\n")[0] ?? "");
  expect((await world.run(begin(10))).code).toBe(0);
  expect(worker.child.exitCode).toBeNull();
  const said = worker
    .out()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(said.filter(({ what }) => what === "tool.stray")).toEqual([
    expect.objectContaining({
      ...{ level: "error", tenant: "default", run, code: "Error" },
      place: expect.stringMatching(/payments\.mjs:\d+:\d+$/),
    }),
  ]);
  expect(worker.out()).not.toContain("CANARY-CONTENT");
  const metrics = await (await fetch(door("metrics"))).text();
  expect(metrics).toMatch(/^turnseal_stray_errors_total 1$/m);
});

test("a worker answers nobody but its engine", async () => {
  await startWorker();
  expect(await discoverStatus(ports.worker)).toBe(401);
});

test("a run whose message was lost is moved by repair", async () => {
  await startWorker();
  const stores = await openPostgresStores({ url: world.databaseUrl, tenant: "default" });
  try {
    // Told in the database alone: the engine has never heard of it.
    const loop: Loop<object, unknown> = {
      definition: (await import(LOOPS)).payByKey.definition,
      run: () => null,
    };
    const signer = await createMemorySigner();
    const host = createLocalHost({ loops: [loop, { ...loop }], stores, signer });
    const before = world.readLedger().length;
    const run = await host.start(
      loop,
      { ledger: world.ledger, actMs: 1 },
      {
        grant: { grantor: "ada", tools: ["local.pay-by-key"], budget: {} },
      },
    );
    const early = JSON.parse((await world.run(["repair", "--json", ...place])).out);
    expect(early).toMatchObject({ told: 0 });
    await sleep(REPAIR_GRACE_MS + 200);
    const late = JSON.parse((await world.run(["repair", "--json", ...place])).out);
    expect(late).toMatchObject({ overdue: 0, told: 1, restored: 0, failed: [] });
    await until(async () => (await host.show(run))?.stopped ?? undefined);
    expect(world.readLedger()).toHaveLength(before + 1);
    const after = await world.run(["repair", "--after-restore", "2020-01-01T00:00:00Z", ...place]);
    expect(after).toMatchObject({ code: 0, out: expect.stringContaining("checked 0 runs") });
    expect(world.readLedger()).toHaveLength(before + 1);
  } finally {
    await stores.close();
  }
});

test("resume --detach of a run that workers carry does not watch it", async () => {
  await startWorker();
  const { run } = JSON.parse((await world.run(begin(18_000, "--detach", "--json"))).out);
  const told = await world.run(["resume", run, "--detach", "--json", ...place]);
  expect({ code: told.code, out: JSON.parse(told.out) }).toEqual({
    ...{ code: 0, out: { type: "detached", run } },
  });
  const shown = JSON.parse((await world.run(["show", run, "--json", ...place])).out);
  expect(shown).not.toMatchObject({ state: "stopped" });
  const inWords = await world.run(["resume", run, "--detach", ...place]);
  expect(inWords.out).toMatch(new RegExp(`^run +${run}\\n +next: turnseal show `));
});

test("a worker of one slot carries one run, and the other comes again", async () => {
  await startWorker("--slots", "1");
  const before = world.readLedger().length;
  const both = [world.start(begin(10_000)), world.start(begin(10_000))];
  await until(() => (world.readLedger().length > before ? true : undefined));
  await sleep(6_000);
  // The other has waited for longer than it may, and was sent away.
  expect(world.readLedger()).toHaveLength(before + 1);
  const metrics = await (await fetch(door("metrics"))).text();
  expect(metrics).toContain("turnseal_slots_in_use 1\n");
  for (const each of both) expect((await each.ended).code).toBe(0);
  expect(world.readLedger()).toHaveLength(before + 2);
});

test("tenants are added, suspended and resumed while a worker runs", async () => {
  await startWorker();
  const before = world.readLedger().length;
  const tenant = async (...args: string[]) => {
    const done = await world.run(["tenant", ...args, "--json", "--postgres", world.databaseUrl]);
    expect([args, done.code, done.err]).toEqual([args, 0, ""]);
    return JSON.parse(done.out);
  };
  const start = () => world.run(begin(1, "--detach", "--json", "--tenant", "acme"));
  expect((await start()).code).not.toBe(0);
  expect(await (await fetch(door("ready"))).text()).toContain("runs of tenant acme came");
  expect(await tenant("add", "acme")).toMatchObject({ name: "acme", state: "active" });
  expect(await tenant("limit", "acme", "--weight", "3", "--concurrency", "8")).toMatchObject({
    ...{ weight: 3, limits: { concurrency: 8 } },
  });
  await until(async () => ((await start()).code === 0 ? true : undefined));
  await until(() => (world.readLedger().length === before + 1 ? true : undefined));
  expect(await statusOf(door("ready"))).toBe(200);

  expect(await tenant("suspend", "acme")).toMatchObject({ state: "suspended" });
  // A worker relies on what it knows for three seconds.
  await sleep(3_500);
  const told = await start();
  expect(told.code).toBe(0);
  await sleep(REPAIR_GRACE_MS / 2);
  expect(world.readLedger()).toHaveLength(before + 1);
  expect(await tenant("resume", "acme")).toMatchObject({ state: "active", weight: 3 });
  // Its message was kept, and comes again by itself; nobody waits for that here, unless asked to.
  if (process.env["TURNSEAL_TEST_KEPT"] !== "1") {
    await sleep(3_500);
    await world.run(["repair", ...place, "--tenant", "acme"]);
  }
  await until(() => (world.readLedger().length === before + 2 ? true : undefined));
  const listed: { name: string }[] = await tenant("list");
  expect(listed.map(({ name }) => name)).toEqual(["acme", "default"]);
});

test("what is paused is begun by no worker, and goes on by itself", async () => {
  const worker = await startWorker();
  const before = world.readLedger().length;
  const ask = async (...args: string[]) => {
    const done = await world.run([...args, "--json", "--postgres", world.databaseUrl]);
    expect([args, done.code, done.err]).toEqual([args, 0, ""]);
    return JSON.parse(done.out);
  };
  const paused = await ask("pause", "--tool", "local.pay-by-key", "--because", "paid twice");
  expect(paused).toMatchObject({ scope: "tool", name: "local.pay-by-key", because: "paid twice" });
  expect(await ask("pauses")).toEqual([paused]);
  // A worker relies on what it knows for three seconds.
  await sleep(3_500);
  const { out } = await world.run(begin(1, "--detach", "--json"));
  const { run } = JSON.parse(out.split("\n")[0] ?? "");
  const what = `tool local.pay-by-key by ${paused.by} at ${paused.since}: paid twice`;
  const said = `"what":"run.blocked","tenant":"default","run":"${run}","why":"paused"`;
  await until(() => (worker.out().includes(`${said},"missing":"${what}"`) ? true : undefined));
  const shown = await world.run(["show", run, ...place]);
  expect(shown.out).toContain(`paused: ${what}`);
  const blocked = await world.run(["runs", "--blocked", "--json", ...place]);
  expect(JSON.parse(blocked.out)).toMatchObject([{ run, obstacle: "paused", missing: what }]);
  expect(world.readLedger()).toHaveLength(before);
  expect(await ask("unpause", "--tool", "local.pay-by-key")).toEqual(paused);
  await until(() => (world.readLedger().length === before + 1 ? true : undefined));
  const audit: { kind: string; deed: string; person: string }[] = await ask("audit");
  expect(audit.map(({ kind, deed }) => `${kind} ${deed}`)).toEqual(
    expect.arrayContaining(["policy seen", "key seen", "release registered", "release promoted"]),
  );
  expect(audit.filter(({ kind }) => kind === "pause")).toMatchObject([
    { deed: "added", person: paused.by, name: "tool local.pay-by-key", isWhole: true },
    { deed: "lifted", person: paused.by, facts: { because: "paid twice" }, isWhole: true },
  ]);
  const typo = ["--tenant", "defualt", "--postgres", world.databaseUrl];
  const noted = await world.run(["pause", ...typo, "--because", "paid twice"]);
  expect(noted).toMatchObject({ code: 0, err: expect.stringContaining("no tenant defualt") });
  expect(await world.run(["unpause", ...typo])).toMatchObject({ code: 0 });
  const again = await world.run(["unpause", "--all", "--postgres", world.databaseUrl]);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining("is not paused") });
});

test("every verb about runs works under an engine as it does in a folder", async () => {
  await startWorker();
  const rule = '[[rules]]\nid = "all"\ndecision = "ask"\n';
  writeFileSync(join(world.folder, "asks.toml"), `name = "asks"\n\n${rule}`);
  const environment = {
    TURNSEAL_HOST: engine.ingress,
    TURNSEAL_POSTGRES_URL: world.databaseUrl,
  };
  const command = (...args: string[]) => world.run(args, environment);
  const expectDone = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await command(...args);
    expect({ args, code, err }).toEqual({ args, code: 0, err: "" });
    return out;
  };
  const park = async (): Promise<string> => {
    const { code, out } = await command(...begin(1, "--policy", "asks.toml", "--json"));
    expect(code).toBe(2);
    return JSON.parse(out.split("\n")[0] ?? "").run;
  };
  const before = world.readLedger().length;
  const [rejected, cancelled, done] = [await park(), await park(), await park()];

  expect(JSON.parse(await expectDone("show", rejected.slice(0, 8), "--json"))).toMatchObject({
    ...{ run: rejected, state: "waiting", waiting: 1 },
  });
  expect(await expectDone("inbox", rejected)).toContain("local.pay-by-key needs approval");
  expect(await expectDone("explain", rejected)).toContain("must approve local.pay-by-key");
  await expectDone("signal", rejected, "hello", "--payload", '"you"');
  await expectDone("reject", rejected, "--reason", "too much");
  expect((await command("resume", rejected)).code).toBe(1);
  expect(JSON.parse(await expectDone("show", rejected, "--json"))).toMatchObject({
    ...{ state: "stopped", reason: "approval-rejected", signals: ["hello"] },
  });

  await expectDone("cancel", cancelled);
  expect((await command("resume", cancelled)).code).toBe(1);
  expect(world.readLedger()).toHaveLength(before);

  await expectDone("approve", done);
  expect((await command("resume", done)).code).toBe(0);
  expect(world.readLedger()).toHaveLength(before + 1);
  expect(await expectDone("replay", done, "--from", LOOPS)).toContain("identical");
  await expectDone("export", done, "--out", "done.json");
  expect(await expectDone("verify", "done.json")).toContain("valid");
  expect(await expectDone("verify")).toContain("valid");
  const listed: { run: string; state: string }[] = JSON.parse(await expectDone("runs", "--json"));
  expect(listed.filter(({ run }) => run === done)).toMatchObject([{ state: "stopped" }]);
  expect(JSON.parse(await expectDone("runs", "--blocked", "--json"))).toEqual([]);
  await expectDone("erase", done, "--yes");
  expect(await expectDone("verify", done)).toContain("valid");
  expect((await command("signal", done, "late")).code).toBe(1);
});

test("an action of unknown end is in the inbox, and a person's word moves the run", async () => {
  await startWorker();
  const args = begin(3_000, "--allow", "local.pay-once");
  // It acts for longer than it may, and cannot be asked what became of it.
  const parked = await world.run(["run", "pay-once", ...args.slice(2), "--json"]);
  expect(parked.code).toBe(2);
  const { run } = JSON.parse(parked.out.split("\n")[0] ?? "");
  const waiting = JSON.parse((await world.run(["inbox", "--json", ...place])).out);
  expect(waiting).toMatchObject([{ run, unknown: [{ name: "local.pay-once" }] }]);
  const result = ["happened", "--result", '{"reference": "seen"}'];
  expect((await world.run(["resolve", run, ...result, ...place])).code).toBe(0);
  expect((await world.run(["resume", run, ...place])).code).toBe(0);
});

test("a word on an action of a cancelled run is recorded by a worker", async () => {
  await startWorker();
  const args = begin(3_000, "--allow", "local.pay-once");
  const parked = await world.run(["run", "pay-once", ...args.slice(2), "--json"]);
  const { run } = JSON.parse(parked.out.split("\n")[0] ?? "");
  expect((await world.run(["cancel", run, ...place])).code).toBe(0);
  const show = async () => JSON.parse((await world.run(["show", run, "--json", ...place])).out);
  await until(async () => ((await show()).reason === "cancelled" ? true : undefined));
  const inbox = async () => JSON.parse((await world.run(["inbox", "--json", ...place])).out);
  const stopped = { run, stopped: "cancelled", unknown: [{ name: "local.pay-once" }] };
  expect(await inbox()).toMatchObject([stopped]);
  const said = await world.run(["resolve", run, "never", ...place]);
  expect(said).toMatchObject({ code: 0, out: expect.stringContaining("never, says") });
  await until(async () => ((await show()).unknown[0].said === undefined ? undefined : true));
  expect(await show()).toMatchObject({
    reason: "cancelled",
    unknown: [{ said: { resolution: "never" } }],
  });
  expect(await inbox()).toEqual([]);
  expect((await world.run(["resolve", run, "happened", ...place])).code).toBe(64);
  const verdict = await world.run(["verify", run, ...place]);
  expect(verdict).toMatchObject({ code: 0, out: expect.stringContaining("✓ valid") });
});

test("production refuses a database without a standby", async () => {
  const refused = await world.run(
    [
      ...["worker", "--from", LOOPS, "--postgres", world.databaseUrl, "--production"],
      ...["--identity-key", IDENTITY.key, "--port", String(ports.worker)],
    ],
    {
      TURNSEAL_SIGN_SEED_BASE64: Buffer.alloc(32, 7).toString("base64"),
      TURNSEAL_SIGN_ISSUER: "hosted",
    },
  );
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/production refused: .*synchronous_standby_names is empty/);
});

test("a worker is not ready without an engine whose partitions are led, and lives on", async () => {
  const worker = await startWorker();
  await engine.kill();
  await until(async () => ((await statusOf(door("ready"))) === 503 ? true : undefined));
  expect(await statusOf(door("health"))).toBe(200);
  expect(worker.child.exitCode).toBeNull();
});

async function discoverStatus(port: number): Promise<number> {
  const session = connect(`http://127.0.0.1:${port}`);
  try {
    const request = session.request({ ":path": "/discover" });
    return await new Promise((resume, reject) => {
      session.on("error", reject);
      request.on("response", (headers) => resume(Number(headers[":status"])));
      request.end();
    });
  } finally {
    session.destroy();
  }
}
