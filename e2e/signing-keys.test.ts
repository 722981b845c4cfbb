// The key that signs receipts is exchanged on real servers while a run waits: the run goes on under
// the new key, and verifies with both, as the page about deployments says.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Engine, findEnginePorts, findFreePort, startEngine } from "@turnseal/runtime/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  askServer,
  type CommandWorld,
  openCommandWorld,
  type Running,
  statusOf,
  until,
} from "./command-world.ts";

const pay = `
export const pay = {
  definition: {
    id: "pay", name: "pay", version: "1.0.0", kind: "tool",
    inputSchema: true, outputSchema: true, tool: { implementation: "local.pay" },
  },
  run: () => ({ paid: true }),
  declared: { effect: "idempotent", build: "1" },
};
`;

let world: CommandWorld;
let engine: Engine;
let place: string[];

beforeAll(async () => {
  world = openCommandWorld();
  await askServer(`create database ${new URL(world.databaseUrl).pathname.slice(1)}`);
  expect(await world.run(["migrate", "--postgres", world.databaseUrl])).toMatchObject({ code: 0 });
  engine = await startEngine({
    folder: join(world.folder, "engine"),
    ports: await findEnginePorts(),
  });
  place = ["--host", engine.ingress, "--postgres", world.databaseUrl];
  mkdirSync(join(world.folder, "loops"));
  writeFileSync(join(world.folder, "loops", "pay.mjs"), pay);
  writeFileSync(
    join(world.folder, "ask.toml"),
    'name = "ask"\n\n[[rules]]\nid = "all"\ndecision = "ask"\n',
  );
});
afterAll(async () => {
  await engine?.kill();
  await world?.close();
});

/** The environment of a worker with its own key. */
function makeKey(name: string): Record<string, string> {
  const file = join(world.folder, `${name}.pem`);
  execFileSync("openssl", ["genpkey", "-algorithm", "ed25519", "-out", file]);
  execFileSync("chmod", ["600", file]);
  return { TURNSEAL_SIGN_KEY_FILE: file, TURNSEAL_SIGN_ISSUER: "hosted" };
}

async function startWorker(name: string, port: number): Promise<Running> {
  const door = await findFreePort();
  const worker = world.start(
    [
      ...["worker", "--from", "loops", "--postgres", world.databaseUrl, "--port", String(port)],
      ...["--metrics-port", String(door), "--identity-key", engine.identityKey],
      ...["--admin", engine.admin, "--store", name],
    ],
    makeKey(name),
  );
  await until(async () => (await statusOf(`http://127.0.0.1:${door}/health`)) === 200 || undefined);
  return worker;
}

/** The public halves, from the folder of the worker that signed with them. */
async function exportKeys(name: string): Promise<{ readonly keyId: string }[]> {
  const { code, out } = await world.run(["keys", "export", "--store", name, ...place]);
  expect(code).toBe(0);
  return (JSON.parse(out) as { readonly keys: { readonly keyId: string }[] }).keys;
}

const verify = (keys: readonly unknown[]) => {
  const file = join(world.folder, "keys.json");
  writeFileSync(file, JSON.stringify({ keys }));
  return world.run(["verify", "--production", "--keys", file, ...place]);
};

test("a run that waits while the signing key is exchanged goes on, and verifies with both keys", {
  timeout: 240_000,
}, async () => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const before = await startWorker("first", port);
  const deploy = ["--from", "loops", "--admin", engine.admin, "--postgres", world.databaseUrl];
  const registered = await world.run(["deploy", "register", "--url", url, ...deploy]);
  expect(registered).toMatchObject({ code: 0 });
  expect(await world.run(["deploy", "promote", ...deploy])).toMatchObject({ code: 0 });
  const start = (policy: readonly string[]) =>
    world.run([
      ...["run", "pay", "--from", "loops", "--allow", "local.pay", ...policy],
      ...["--input", "{}", ...place],
    ]);
  expect((await start([])).code).toBe(0);
  expect((await start(["--policy", "ask.toml"])).code).toBe(2);

  before.child.kill("SIGTERM");
  expect((await before.ended).code).toBe(0);
  await startWorker("second", port);
  expect(await world.run(["approve", "last", ...place])).toMatchObject({ code: 0 });
  await until(async () => {
    const { out } = await world.run(["show", "last", "--json", ...place]);
    return out.includes("goal-reached") || undefined;
  });

  const [old, now] = [await exportKeys("first"), await exportKeys("second")];
  expect(await verify([...old, ...now])).toMatchObject({ code: 0, err: "" });
  // One of the two keys alone does not verify every receipt.
  expect((await verify(now)).code).not.toBe(0);
  expect((await verify(old)).code).not.toBe(0);
  await trustFromElsewhere([...old, ...now].map(({ keyId }) => keyId));
});

/** On a machine that has seen none of the keys: a note is no trust, and a person's word is. */
async function trustFromElsewhere(keyIds: readonly string[]): Promise<void> {
  const look = () => world.run(["verify", "--production", "--store", "operator", ...place]);
  const decide = async (action: string, keyId: string) => {
    const said = ["keys", action, keyId, "--json", "--postgres", world.databaseUrl];
    return world.run(said, { TURNSEAL_TENANT: "somebody" });
  };
  const before = await look();
  expect(before.code).toBe(3);
  for (const keyId of keyIds) {
    expect(before.out).toContain(`and is not trusted: turnseal keys trust ${keyId}`);
    const trusted = await decide("trust", keyId);
    expect(trusted).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(trusted.out)).toMatchObject({ keyId, tenant: null, state: "trusted" });
  }
  expect(await look()).toMatchObject({ code: 0, err: "" });
  const listed = await world.run(["keys", "list", "--postgres", world.databaseUrl]);
  expect(listed.out.match(/for all tenants {2}trusted by/g)).toHaveLength(keyIds.length);
  expect((await decide("distrust", keyIds[0] ?? "")).code).toBe(0);
  const after = await look();
  expect(after).toMatchObject({ code: 3, out: expect.stringContaining("was distrusted by") });
  expect((await decide("trust", "nobody")).code).toBe(1);
}
