// Refusals before anything is started. e2e shows the rest on real servers.

import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SLOTS_DEFAULT } from "@turnseal/runtime";
import { createIdentity, identityKeyOf } from "@turnseal/runtime/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sayCommand } from "../say-command.test.data.ts";
import {
  AUDIT_LIMIT_DEFAULT,
  DEV_PORTS_DEFAULT,
  DRAIN_MS_DEFAULT,
  METRICS_PORT_DEFAULT,
  WORKER_PORT_DEFAULT,
} from "./defaults.ts";

const SOME_RUN = "1f0c2b3a-4d5e-4f60-8a7b-9c0d1e2f3a4b";
const key = identityKeyOf(createIdentity());
let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-durable-"));
  writeFileSync(join(root, "slow.json"), JSON.stringify(slow));
  writeFileSync(join(root, "quick.json"), JSON.stringify({ ...slow, policy: {} }));
});
afterAll(() => rmSync(root, { recursive: true }));

const slow = {
  ...{ id: "slow", name: "Slow", version: "1.0.0", inputSchema: true, outputSchema: true },
  ...{ kind: "tool", tool: { implementation: "builtin:echo" }, policy: { timeoutMs: 700_000 } },
};

async function run(args: readonly string[], environment: Record<string, string> = {}) {
  return sayCommand(args, environment);
}

const database = "postgres://ada@127.0.0.1:1/none";
const worker = (...more: string[]): string[] => [
  ...["worker", "--from", join(root, "slow.json"), "--store", join(root, "store"), ...more],
];

test.each([
  ["no database", [], "no database is given"],
  ["no identity", ["--postgres", database], "name the public key of the engine"],
  ["a wrong key", ["--postgres", database, "--identity-key", "ssh-ed25519"], "publickeyv1_"],
  ["no port", ["--postgres", database, "--port", "70000"], "Write a port from 1 to 65535."],
  ["a wrong administration", ["--postgres", database, "--admin", "here"], "--admin must be an"],
  [
    "a password in its address",
    ["--postgres", database, "--advertise", "http://me:secret@here"],
    "--advertise must be an http or https URL, without user name and password",
  ],
  [
    "production without identity",
    ["--postgres", database, "--production", "--insecure-no-identity"],
    "production refuses --insecure-no-identity",
  ],
  [
    "prices that are none",
    ["--postgres", database, "--identity-key", key, "--prices", "/nowhere/prices.json"],
    "/nowhere/prices.json: ",
  ],
  [
    "limits for all tenants, and nobody who counts",
    [
      ...["--postgres", database, "--identity-key", key, "--action-max", "700000"],
      ...["--provider-limits", "limits.json"],
    ],
    "limits for all tenants are counted in Redis, and --redis is missing",
  ],
  [
    "limits that are none",
    [
      ...["--postgres", database, "--identity-key", key, "--action-max", "700000"],
      ...["--redis", "redis://127.0.0.1:1", "--provider-limits", "/nowhere/limits.json"],
    ],
    "/nowhere/limits.json: ",
  ],
  [
    "a tool that may take too long",
    ["--postgres", database, "--identity-key", key],
    "actions are limited to 600000 ms, and these may take longer: slow",
  ],
  [
    "development keys in production",
    [
      ...["--postgres", database, "--identity-key", key],
      ...["--action-max", "700000", "--production"],
    ],
    "production refuses development keys",
  ],
])("a worker with %s is refused", async (_, more, message) => {
  const { code, err } = await run(worker(...more));
  expect({ code, err }).toEqual({ code: 64, err: expect.stringContaining(message) });
  expect(err).not.toContain("secret");
});

test("a worker in production refuses loops without a version", async () => {
  const file = join(root, "unversioned.json");
  writeFileSync(file, JSON.stringify({ ...slow, version: "0.0.0-dev" }));
  const args = ["worker", "--from", file, "--postgres", database, "--identity-key", key];
  const { code, err } = await run([...args, "--production"]);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("version-development") });
});

test("a worker that cannot reach its database fails", async () => {
  const failing = run(
    worker("--postgres", database, "--identity-key", key, "--action-max", "700000"),
  );
  await expect(failing).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
});

test.each([
  ["dev", ["dev"], "a PostgreSQL server is needed"],
  ["migrate", ["migrate"], "no database is given"],
  ["repair", ["repair"], "only runs under an engine"],
  ["repair", ["repair", "--host", "http://h", "--after-restore", "soon"], "soon is not a time"],
  ["repair", ["repair", "--host", "http://h", "--after", SOME_RUN], "--after takes the whole id"],
  [
    "repair",
    ["repair", "--host", "http://h", "--after-restore", "2030-01-31", "--after", "1f0c"],
    "--after takes the whole id",
  ],
  ["a host alone", ["runs", "--host", "http://127.0.0.1:1"], "the database is needed, too"],
  ["a wrong host", ["runs", "--host", "ftp://x", "--postgres", database], "--host must be"],
  ["a secret", ["runs", "--host", "http://me:secret@x", "--postgres", database], "--host must be"],
  ["ports", ["dev", "--postgres", database, "--ports", "65532"], "Write a port from 1 to 65531."],
])("%s says what is missing", async (_, args, message) => {
  const { code, err } = await run(args);
  expect({ code, err }).toEqual({ code: 64, err: expect.stringContaining(message) });
  expect(err).not.toContain("secret");
});

test("a port that somebody else listens on is named before anything is started", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const loops = ["--from", join(root, "quick.json"), "--store", join(root, "store")];
  // The last of five.
  const first = String(port - 4);
  const { code, err } = await run(["dev", "--postgres", database, ...loops, "--ports", first]);
  server.close();
  expect(code).toBe(64);
  expect(err).toMatch(/port \d+ is in use; 5 free ports from \d+ on are needed/);
  expect(err).toContain("next: turnseal dev --ports <first>");
});

test("the environment names a host as the command line does", async () => {
  const { code, err } = await run(["runs"], { TURNSEAL_HOST: "http://127.0.0.1:1" });
  expect({ code, err }).toEqual({
    code: 64,
    err: expect.stringContaining("the database is needed, too"),
  });
});

test("the help says what holds when nothing is said", async () => {
  const { out } = await run(["worker", "--help"]);
  const words = out.replaceAll(/\s+/g, " ");
  const defaults = [SLOTS_DEFAULT, WORKER_PORT_DEFAULT, METRICS_PORT_DEFAULT, DRAIN_MS_DEFAULT];
  expect(defaults).toEqual([16, 9080, 9464, 60_000]);
  for (const value of defaults) expect(words).toContain(`(default: ${value})`);
  const dev = await run(["dev", "--help"]);
  expect(DEV_PORTS_DEFAULT).toBe(28_080);
  expect(dev.out.replaceAll(/\s+/g, " ")).toContain("(default: 28080)");
});

test.each([
  ["no database", ["add", "acme"], "no database is given"],
  ["a step that is none", ["remove", "acme", "--postgres", database], "Allowed choices"],
  ["no name", ["add", "--postgres", database], "a tenant is a name of"],
  ["a name that is none", ["suspend", "Acme.eu", "--postgres", database], "a tenant is a name of"],
  ["no limit", ["limit", "acme", "--postgres", database], "no limit is given"],
  [
    "a limit beside another step",
    ["suspend", "acme", "--concurrency", "1", "--postgres", database],
    "suspend takes no limits",
  ],
  ["no share", ["limit", "acme", "--weight", "0"], "Write a whole number from 1 to 1000."],
  ["too much", ["limit", "acme", "--weight", "1001"], "Write a whole number from 1 to 1000."],
  [
    "more money than can be counted",
    ["limit", "acme", "--money-per-day", "9007199255"],
    "Write a whole number from 1 to 9007199254, or none.",
  ],
  ["half a run", ["limit", "acme", "--concurrency", "0.5"], "or none."],
])("tenant with %s is refused", async (_, args, message) => {
  const { code, err } = await run(["tenant", ...args]);
  expect([code, err]).toEqual([64, expect.stringContaining(message)]);
});

const why = ["--because", "paid twice"];

test.each([
  ["no database", ["pause", "--all", ...why], "no database is given"],
  ["nothing to pause", ["pause", ...why, "--postgres", database], "name one of --all"],
  ["no name", ["pause", "--tool", "", ...why, "--postgres", database], "name one of --all"],
  ["two things", ["unpause", "--all", "--tool", "x", "--postgres", database], "name one of --all"],
  [
    "no tenant",
    ["pause", "--tenant", "A.b", ...why, "--postgres", database],
    "--tenant takes a name of",
  ],
  ["no reason", ["pause", "--all", "--postgres", database], "a pause says why"],
  ["an empty reason", ["pause", "--all", "--because", " ", "--postgres", database], "says why"],
  ["two lines", ["pause", "--all", "--because", "a\nb", "--postgres", database], "says why"],
  [
    "a long reason",
    ["pause", "--all", "--because", "x".repeat(201), "--postgres", database],
    "at most 200 characters",
  ],
])("a pause with %s is refused", async (_, args, message) => {
  const { code, err } = await run(args);
  expect([code, err]).toEqual([64, expect.stringContaining(message)]);
});

test("the tenant of the environment is not paused by not naming anything", async () => {
  const tenant = { TURNSEAL_TENANT: "acme" };
  const { code, err } = await run(["pause", ...why, "--postgres", database], tenant);
  expect([code, err]).toEqual([64, expect.stringContaining("name one of --all")]);
  const named = run(["pause", "--tool", "x", ...why, "--postgres", database], tenant);
  await expect(named).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
});

test("audit says what is missing, and how many entries a page has", async () => {
  expect(await run(["audit"])).toMatchObject({
    ...{ code: 64, err: expect.stringContaining("no database is given") },
  });
  const wrong = await run(["audit", "--since", "soon", "--postgres", database]);
  expect(wrong).toMatchObject({ code: 64, err: expect.stringContaining("Write a time such as") });
  expect(AUDIT_LIMIT_DEFAULT).toBe(100);
});

test.each([
  ["check needs only the database", ["check"], "no database is given"],
  ["another step needs the engine, too", ["status", "--postgres", database], "admin API"],
])("of the steps of deploy, %s", async (_, args, words) => {
  const { code, err } = await run(["deploy", ...args]);
  expect([code, err.includes(words)]).toEqual([64, true]);
});
