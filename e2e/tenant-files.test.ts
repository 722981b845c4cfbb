// Two tenants with keys and secrets of their own, whose runs interleave in one worker.
import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  openPostgresStores,
  openTenantBook,
  type PostgresStores,
} from "@turnseal/adapters/postgres";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import { createIngress } from "@turnseal/host/restate";
import { canonicalize } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { type PublicKey, verifyRun } from "@turnseal/protocol/receipts";
import { postJson } from "@turnseal/runtime/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DurableWorld, openDurableWorld } from "./durable-world.ts";

const TENANTS = ["ada", "grace"] as const;
const RUNS = 10;

interface Work {
  readonly tenant: string;
}
const input = jsonSchema<Work>({ type: "object", properties: { tenant: { type: "string" } } });
const any = jsonSchema<object>(true);
const seen: { readonly tenant: string; readonly token: string | undefined }[] = [];
let acting = 0;
let actingMost = 0;
const work = defineTool({
  ...{ id: "work", version: "1.0.0", input, output: any, effect: "idempotent", build: "1" },
  secrets: ["TOKEN"],
  run: async ({ tenant }: Work, { secrets }) => {
    acting += 1;
    actingMost = Math.max(actingMost, acting);
    await sleep(100);
    acting -= 1;
    seen.push({ tenant, token: secrets["TOKEN"] });
    return {};
  },
});

interface Side {
  readonly tenant: string;
  readonly host: LocalHost;
  readonly stores: PostgresStores;
}

let world: DurableWorld;
let folder = "";
const sides: Side[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "turnseal-tenant-files-"));
  world = await openDurableWorld({ loops: [work] });
  const book = await openTenantBook({ url: world.databaseUrl });
  for (const tenant of [...TENANTS, "nobody"]) {
    await book.add(tenant, "e2e");
    const stores = await openPostgresStores({ url: world.databaseUrl, tenant });
    const { put } = createIngress({ ingress: world.engine().ingress, tenant, post: postJson });
    const host = createLocalHost({ loops: [work], stores, signer: world.signer, put });
    sides.push({ tenant, host, stores });
  }
  await book.close();
});
afterAll(async () => {
  for (const { stores } of sides) await stores.close();
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A folder for a tenant, and its key as others know it. */
function furnish(tenant: string): KeyObject {
  const { privateKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ format: "pem", type: "pkcs8" });
  mkdirSync(join(folder, tenant, "secrets"), { recursive: true });
  writeFileSync(join(folder, tenant, "sign-key.pem"), pem, { mode: 0o600 });
  writeFileSync(join(folder, tenant, "secrets", "TOKEN"), `token-of-${tenant}`, { mode: 0o600 });
  return createPublicKey(privateKey);
}

const start = ({ host, tenant }: Side) =>
  host.start(work, { tenant }, { grant: { grantor: "e2e", tools: ["local.work"], budget: {} } });
const stoppedOf = ({ host }: Side, run: string) =>
  world.until(async () => (await host.show(run))?.stopped ?? undefined);

async function publicKeyOf({ stores }: Side, run: string, key: KeyObject): Promise<PublicKey> {
  const receipt = await stores.receipts.read(run, 1);
  const keyId = receipt?.envelope.signatures[0]?.keyid ?? "";
  const exported = key.export({ format: "jwk" });
  return { keyId, x: exported.x ?? "", issuer: "hosted", validFrom: "1970-01-01T00:00:00.000Z" };
}

async function bundleOf({ stores }: Side, run: string) {
  const receipts = await stores.receipts.list(run, 1);
  const envelopes = receipts.map(({ envelope }) => canonicalize(envelope));
  return { run, events: await stores.log.read(run, 1), receipts: envelopes };
}

test("secrets and receipts are each tenant's own, and one without a folder waits", async () => {
  const keys = new Map(TENANTS.map((tenant) => [tenant as string, furnish(tenant)]));
  await world.startWorker({
    slots: 8,
    servesAll: true,
    tenantFiles: { folder, issuer: "hosted", readPolicy: async () => undefined },
  });
  const [ada, grace, nobody] = sides as [Side, Side, Side];
  const held = await start(nobody);
  const started = await Promise.all(
    Array.from({ length: 2 * RUNS }, async (_, at) => {
      const side = at % 2 === 0 ? ada : grace;
      return { side, run: await start(side) };
    }),
  );
  for (const { side, run } of started) expect(await stoppedOf(side, run)).toBe("goal-reached");
  expect(actingMost).toBeGreaterThan(1);
  expect(seen).toHaveLength(2 * RUNS);
  for (const { tenant, token } of seen) expect(token).toBe(`token-of-${tenant}`);
  for (const { side, run } of started) {
    const own = await publicKeyOf(side, run, keys.get(side.tenant) as KeyObject);
    const other = keys.get(side === ada ? "grace" : "ada") as KeyObject;
    const bundle = await bundleOf(side, run);
    expect((await verifyRun(bundle, { keys: [own] })).findings).toEqual([]);
    // Its worker has noted it for this tenant, and nobody trusts it yet.
    const noted = (await side.stores.listKeys()).filter(({ tenant }) => tenant !== null);
    expect(noted).toMatchObject([{ ...own, tenant: side.tenant, state: "noted" }]);
    const foreign = { ...own, ...(await publicKeyOf(side, run, other)) };
    expect((await verifyRun(bundle, { keys: [foreign] })).findings).not.toEqual([]);
  }
  // The message is stored, and no turn began with the key of another tenant.
  expect(await nobody.stores.receipts.list(held, 1)).toEqual([]);
  expect(await nobody.stores.inbox.has(held, "start")).toBe(true);
  furnish("nobody");
  expect(await stoppedOf(nobody, held)).toBe("goal-reached");
  expect(seen.at(-1)).toEqual({ tenant: "nobody", token: "token-of-nobody" });
});
