import type { TenantReader } from "@turnseal/adapters/postgres";
import { bindHost, createLocalHost, describeRelease } from "@turnseal/host";
import {
  manualClock,
  memoryStores,
  type RunSnapshot,
  type Signer,
  seededIds,
} from "@turnseal/ports";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { checkUpgrade, UPGRADE_RUNS_NAMED_MAX } from "./check-upgrade.ts";
import { countNeeding } from "./count-needing.ts";

const signer: Signer = { keyId: "k", issuer: "ci", sign: async () => new Uint8Array(64) };
const any = jsonSchema<object>(true);
const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
const policy = { name: "ask", rules: [{ id: "all", decision: "ask" as const }] };

const pay = (version: string): Loop<object, object> =>
  defineTool({
    ...{ id: "pay", version, input: any, output: any, effect: "once", build: version },
    run: () => ({ version }),
  });

/** Runs of one tenant that wait, and what reads them. */
async function parkRuns(count: number) {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const ids = seededIds("upgrade");
  const host = createLocalHost({ loops: [pay("1.0.0")], stores, signer, clock, ids });
  const snapshots: RunSnapshot[] = [];
  const told: string[] = [];
  for (let at = 0; at < count; at++) {
    const run = await host.start(pay("1.0.0"), {}, { key: `run ${at}`, grant, policy });
    await host.drive(run);
    const snapshot = await stores.runs.read(run);
    if (snapshot !== undefined) snapshots.push(snapshot);
  }
  const lists = {
    listUnfinished: async (after?: string) => (after === undefined ? snapshots : []),
    listTold: async (_: string, after?: string) => (after === undefined ? told : []),
  };
  const reader = { ...stores, lists } as unknown as TenantReader;
  const book = {
    pending: [],
    listTenants: async () => ["ada"],
    readerOf: () => reader,
    list: async () => [],
  };
  const releaseOf = (...versions: string[]) =>
    describeRelease(bindHost({ loops: versions.map(pay), stores, signer }));
  const tell = async () =>
    void told.push(await host.start(pay("1.0.0"), {}, { key: "told", grant, policy }));
  return { book, releaseOf, tell };
}

test("what a release lacks is counted, with the first UPGRADE_RUNS_NAMED_MAX runs", async () => {
  for (const count of [UPGRADE_RUNS_NAMED_MAX, UPGRADE_RUNS_NAMED_MAX + 1]) {
    const { book, releaseOf } = await parkRuns(count);
    const check = await checkUpgrade(book, releaseOf("2.0.0"));
    expect(check).toMatchObject({
      blocked: count,
      tenants: [
        {
          ...{ tenant: "ada", unfinished: count, carried: 0 },
          lacks: [{ cause: "loop-missing", what: "pay 1.0.0", keptBy: null, runs: count }],
        },
      ],
    });
    expect(check.tenants[0]?.lacks[0]?.first).toHaveLength(UPGRADE_RUNS_NAMED_MAX);
  }
});

test("what another release has is kept by it; both versions together lack nothing", async () => {
  const { book, releaseOf } = await parkRuns(2);
  const old = releaseOf("1.0.0");
  const kept = {
    ...{ name: old.name, uri: "http://one", isDraining: false, registeredAt: "2030-01-01" },
    facts: JSON.parse(JSON.stringify(old)),
  };
  const beside = { ...book, list: async () => [kept] };
  const check = await checkUpgrade(beside, releaseOf("2.0.0"));
  expect(check).toMatchObject({
    blocked: 0,
    tenants: [{ lacks: [{ keptBy: old.name, runs: 2 }] }],
  });
  const both = await checkUpgrade(book, releaseOf("1.0.0", "2.0.0"));
  expect(both).toMatchObject({ blocked: 0, tenants: [{ carried: 2, lacks: [] }] });
  const releases = [old, releaseOf("1.0.0", "2.0.0"), releaseOf("2.0.0")];
  expect((await countNeeding(book, releases)).alone.size).toBe(0);
  const needing = await countNeeding(book, releases.slice(0, 1));
  expect(needing).toEqual({ alone: new Map([[old.name, 2]]), blocked: 0, unfinished: 2 });
  expect(await countNeeding(book, releases.slice(2))).toMatchObject({ blocked: 2 });
});

test("a run whose start nobody has taken in needs a release", async () => {
  const { book, releaseOf, tell } = await parkRuns(1);
  await tell();
  const old = releaseOf("1.0.0");
  expect(await checkUpgrade(book, releaseOf("2.0.0"))).toMatchObject({ blocked: 2 });
  expect(await countNeeding(book, [old])).toEqual({
    ...{ alone: new Map([[old.name, 2]]), blocked: 0, unfinished: 2 },
  });
});

test("the name of a release is that of its loops and builds, whatever their order", async () => {
  const { releaseOf } = await parkRuns(0);
  expect(releaseOf("1.0.0", "2.0.0").name).toBe(releaseOf("2.0.0", "1.0.0").name);
  expect(releaseOf("1.0.0").name).not.toBe(releaseOf("2.0.0").name);
  expect(releaseOf("1.0.0").name).toMatch(/^[0-9a-f]{16}$/);
});
