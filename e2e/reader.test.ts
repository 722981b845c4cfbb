// A login that only reads, and commands in a place without write access.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPostgresPool, openPostgresStores } from "@turnseal/adapters/postgres";
import { createLocalHost } from "@turnseal/host";
import { findFreePort } from "@turnseal/runtime/engine";
import { openSigner } from "@turnseal/runtime/folder";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { greet } from "../examples/embedded-worker/loops.ts";
import {
  askServer,
  type CommandWorld,
  IDENTITY,
  LOOPS,
  openCommandWorld,
  statusOf,
  until,
} from "./command-world.ts";

/** A folder that no user can make. */
const UNWRITABLE = "/sys/turnseal";
const SERVED = fileURLToPath(new URL("../apps/cli/src/__fixtures__/served.mjs", import.meta.url));
const viewer = `turnseal_e2e_viewer_${process.pid}`;
const stranger = `turnseal_e2e_stranger_${process.pid}`;
const operator = `turnseal_e2e_operator_${process.pid}`;
let world: CommandWorld;
let run: string;
/** One that waits for a word. */
let open: string;

const urlFor = (user: string): string => {
  const url = new URL(world.databaseUrl);
  url.username = user;
  return url.href;
};

beforeAll(async () => {
  world = openCommandWorld();
  const name = new URL(world.databaseUrl).pathname.slice(1);
  await askServer(`create database ${name}`);
  expect((await world.run(["migrate", "--postgres", world.databaseUrl])).code).toBe(0);
  await askServer(`create role ${viewer} login; create role ${stranger} login`);
  await askServer(`create role ${operator} login; grant ${name}_owner to ${operator}`);
  await askServer(`grant ${name}_reader to ${viewer}`);
  const stores = await openPostgresStores({ url: world.databaseUrl, tenant: "default" });
  try {
    const signer = await openSigner(join(world.folder, ".turnseal/durable"), {});
    const host = createLocalHost({ loops: [greet], stores, signer });
    const grant = { grantor: "ada", tools: ["local.greet"], budget: {} };
    run = await host.start(greet, { name: "Ada" }, { grant });
    await host.driveNow(run);
    const nextInput = { name: "$.signals.message.name" };
    const bounds = { turnsMax: 5, awaits: ["message"], nextInput };
    open = await host.start(greet, { name: "Bob" }, { grant, bounds });
    await host.driveNow(open);
  } finally {
    await stores.close();
  }
});
afterAll(async () => {
  await world?.close();
  for (const role of [viewer, stranger, operator]) await askServer(`drop role if exists ${role}`);
});

/** Nobody is at the engine: what reads does not ask it. */
const ask = (...args: string[]) =>
  world.run([...args.map(nameRun), "--host", "http://127.0.0.1:1", "--postgres", urlFor(viewer)]);

const nameRun = (arg: string): string => ({ RUN: run, OPEN: open })[arg] ?? arg;

test.each([
  ["runs"],
  ["runs", "--blocked"],
  ["show", "RUN"],
  ["explain", "RUN"],
  ["costs"],
  ["inbox"],
  ["verify"],
  ["verify", "RUN"],
  ["export", "RUN", "--without-content", "--out", "-"],
])("the reader's login may: %s %s", async (...args) => {
  const { code, out, err } = await ask(...args);
  expect([code, err]).toEqual([0, expect.not.stringContaining("error")]);
  if (args[0] === "export") expect(out).toContain(run);
});

/** Asks the database itself, as nobody may in production. */
async function askDatabase(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}

const operate = (...args: string[]) =>
  world.run([
    ...args.map(nameRun),
    ...["--host", "http://127.0.0.1:1", "--postgres", urlFor(operator)],
  ]);

test.each([["runs"], ["show", "RUN"], ["inbox"], ["verify"], ["keys", "list"]])(
  "an operator's login may: %s %s",
  async (...args) => {
    const { code, err } = await operate(...args);
    expect([code, err]).toEqual([0, expect.not.stringContaining("error")]);
  },
);

test("verify says whose runs it looked at, and with --all-tenants looks at all", async () => {
  const one = await operate("verify");
  expect(one.out).toContain("of tenant default only; turnseal verify --all-tenants");
  expect(JSON.parse((await operate("verify", "--json")).out)).toMatchObject({ tenant: "default" });

  const stores = await openPostgresStores({ url: world.databaseUrl, tenant: "acme" });
  const signer = await openSigner(join(world.folder, ".turnseal/durable"), {});
  const host = createLocalHost({ loops: [greet], stores, signer });
  const grant = { grantor: "ada", tools: ["local.greet"], budget: {} };
  const other = await host.start(greet, { name: "Eve" }, { grant });
  await host.driveNow(other);
  const all = await operate("verify", "--all-tenants");
  expect(all).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^✓ valid {2}3 runs, .* of all 2 tenants\n$/),
  });

  // One wrong run of a tenant that nobody has named.
  await stores.close();
  await askDatabase(`delete from turnseal.receipt where run = '${other}'`);
  expect(await operate("verify")).toMatchObject({ code: 0 });
  const found = await operate("verify", "--all-tenants");
  expect(found).toMatchObject({ code: 3, out: expect.stringMatching(/^acme\n✗ invalid/) });
  expect(found.out).toContain(other);
  const json = JSON.parse((await operate("verify", "--all-tenants", "--json")).out);
  expect(json).toMatchObject({
    ...{ verdict: "invalid", valid: false },
    tenants: [
      { tenant: "acme", verdict: "invalid" },
      { tenant: "default", verdict: "valid" },
    ],
  });
});

test("only an operator's login verifies all tenants, and only under an engine", async () => {
  const denied = await ask("verify", "--all-tenants");
  expect([denied.code, denied.out]).toEqual([1, ""]);
  expect(denied.err).toContain("_owner");
  for (const args of [
    ["verify", "--all-tenants"],
    ["verify", "--all-tenants", "last"],
  ]) {
    const place = args.length === 2 ? [] : ["--host", "http://127.0.0.1:1"];
    const refused = await world.run([...args, ...place]);
    expect(refused).toMatchObject({ code: 64, err: expect.stringContaining("--all-tenants") });
  }
});

test.each([
  // Shown content is checked against its digest, which takes the key of the run.
  ["transcript", "RUN"],
  ["cancel", "OPEN"],
  ["signal", "OPEN", "message", "--payload", '{"name":"Eve"}'],
  ["erase", "RUN", "--yes"],
  ["export", "RUN", "--out", "-"],
])("the reader's login may not: %s %s", async (...args) => {
  const { code, out, err } = await ask(...args);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(/this login may (only read|not read the keys of runs)/);
  expect(err).toContain("use a login with the worker's role");
});

test("a login without any role, and a worker with the reader's, are refused", async () => {
  const refused = { code: "STORE_UNREACHABLE" };
  const openAs = (user: string, allowReader: boolean) =>
    openPostgresPool({ url: urlFor(user), allowReader });
  await expect(openAs(stranger, true)).rejects.toMatchObject(refused);
  await expect(openAs(viewer, false)).rejects.toMatchObject(refused);
  const pool = await openAs(viewer, true);
  try {
    expect(pool.isReadOnly).toBe(true);
    const { inbox, blobs } = pool.forTenant("default");
    const readOnly = { code: "STORE_READ_ONLY" };
    const message = { run, key: "k", kind: "cancel", body: {} } as const;
    await expect(inbox.put(message)).rejects.toMatchObject(readOnly);
    await expect(blobs.readKey(run)).rejects.toMatchObject(readOnly);
    expect(await blobs.hasKey?.(run)).toBe(true);
    expect(await pool.forTenant("other").blobs.hasKey?.(run)).toBe(false);
  } finally {
    await pool.close();
  }
});

test("worker and server run where nothing can be written, and say what they lack", async () => {
  const place = ["--postgres", world.databaseUrl, "--store", UNWRITABLE];
  const [port, door, http] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const worker = [
    ...["worker", "--from", LOOPS, ...place, "--insecure-no-identity"],
    ...["--port", String(port), "--metrics-port", String(door)],
  ];
  const keyless = await world.run(worker);
  expect(keyless.code).toBe(64);
  expect(keyless.err).toContain(`there is no signing key, and none can be made in ${UNWRITABLE}`);
  expect(keyless.err).toContain("TURNSEAL_SIGN_KEY_FILE");
  const file = join(world.folder, "sign.pem");
  writeFileSync(file, IDENTITY.pem, { mode: 0o600 });
  const signing = { TURNSEAL_SIGN_KEY_FILE: file, TURNSEAL_SIGN_ISSUER: "hosted" };
  const running = world.start(worker, signing);
  await until(async () => (await statusOf(`http://127.0.0.1:${door}/ready`)) === 200 || undefined);
  running.child.kill("SIGTERM");
  expect((await running.ended).code).toBe(0);
  const served = world.start([
    ...["serve", "--from", SERVED, ...place, "--insecure-localhost"],
    ...["--host", "http://127.0.0.1:1", "--port", String(http)],
  ]);
  await until(async () => (await statusOf(`http://127.0.0.1:${http}/v1/health`)) ?? undefined);
  served.child.kill("SIGTERM");
  expect((await served.ended).code).toBe(0);
});
