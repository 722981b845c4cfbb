// Several releases at once on a real engine. Runs keep the release that started them through
// promotions, restarts, wrong addresses and rollbacks.
// TURNSEAL_RELEASES_RUNS=500 is the full size.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { RELEASES_LIST_MAX } from "@turnseal/adapters/postgres";
import { collectEvents } from "@turnseal/host";
import { createIngress } from "@turnseal/host/restate";
import {
  checkUpgrade,
  drainRelease,
  type OpenedDeploy,
  openDeploy,
  promoteRelease,
  readDeployStatus,
  registerRelease,
  removeRelease,
} from "@turnseal/operate/deploy";
import type { Policy } from "@turnseal/protocol";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { postJson } from "@turnseal/runtime/engine";
import { findObstacle } from "@turnseal/runtime/folder";
import { openRuns } from "@turnseal/runtime/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IDENTITY } from "./command-world.ts";
import { type DurableWorld, openDurableWorld, TENANT, type Worker } from "./durable-world.ts";

const size = Number(process.env["TURNSEAL_RELEASES_RUNS"] ?? "24");
const by = { id: "ada", roles: [] };
const anything = jsonSchema<object>({ type: "object" });
const policy: Policy = { name: "ask", rules: [{ id: "all", decision: "ask" }] };
/** Which version of a tool paid for what, as the world outside saw it. */
const paid: { readonly order: string; readonly by: string }[] = [];

const toolOf = (id: string, version: string): Loop<object, unknown> =>
  defineTool({
    ...{ id, version, effect: "idempotent", build: version },
    input: anything,
    output: jsonSchema<object>(true),
    // Each version has a function of its own, under one name.
    run: (input: object) => {
      paid.push({ order: String(Reflect.get(input, "order")), by: `${id} ${version}` });
      return { version };
    },
  });

const [pay1, pay2, refund1, ship3, audit1] = [
  toolOf("pay", "1.0.0"),
  toolOf("pay", "2.0.0"),
  toolOf("refund", "1.0.0"),
  toolOf("ship", "3.0.0"),
  toolOf("audit", "1.0.0"),
];
let slowCalls = 0;
const slow = defineTool({
  ...{ id: "slow", version: "1.0.0", effect: "idempotent", build: "1" },
  ...{ input: anything, output: jsonSchema<object>(true) },
  run: async () => {
    slowCalls++;
    await sleep(13_000);
    return {};
  },
});
const first = [pay1, refund1];
const second = [pay2, refund1];
// The loop of the first release is gone, and the one of the second is there beside a new one.
const third = [pay2, ship3];

let world: DurableWorld;
let opened: OpenedDeploy;

beforeAll(async () => {
  world = await openDurableWorld({ loops: [pay1, pay2, refund1, ship3, audit1, slow] });
  opened = await openDeploy({ admin: world.engine().admin, postgres: world.databaseUrl });
});
afterAll(async () => {
  await opened?.book.close();
  await world?.close();
});

interface Parked {
  readonly run: string;
  readonly order: string;
  readonly by: string;
}

async function park(loop: Loop<object, unknown>, order: string): Promise<Parked> {
  const { id, version } = loop.definition;
  const grant = { grantor: "ada", tools: [`local.${id}`], budget: {} };
  const run = await world.host.start(loop, { order }, { grant, policy });
  await requestOf(run);
  return { run, order, by: `${id} ${version}` };
}

const parkAll = (loop: Loop<object, unknown>, label: string): Promise<Parked[]> =>
  Promise.all(Array.from({ length: size / 4 }, (_, at) => park(loop, `${label}-${at}`)));

const requestOf = (run: string) => world.until(async () => (await world.host.requests(run))[0]);

async function approve({ run }: Parked): Promise<void> {
  const { id } = await requestOf(run);
  await world.host.decide(run, id, { choice: "approve", by });
}

async function expectDone(parked: readonly Parked[]): Promise<void> {
  for (const { run, order, by: tool } of parked) {
    expect(await world.stoppedOf(run)).toBe("goal-reached");
    // Once, and by the version that the run was started with.
    expect(paid.filter((each) => each.order === order)).toEqual([{ order, by: tool }]);
  }
}

const typesOf = async (run: string): Promise<string[]> =>
  (await collectEvents(world.stores.log, run, 1)).map(({ type }) => type);

const start = (loops: readonly Loop<object, unknown>[], isDeployed = true): Promise<Worker> =>
  world.startWorker({ host: { loops }, isDeployed });

const promotedOf = async (): Promise<string | null> => (await readDeployStatus(opened)).promoted;

interface Fleet {
  readonly one: Worker;
  readonly two: Worker;
  readonly three: Worker;
}

/** A release at an address of its own. The wrong image is refused, and changes nothing. */
async function replace({ one, two, three }: Fleet): Promise<void> {
  const wrong = await registerRelease(opened, {
    ...{ release: { ...three.described, name: one.release }, uri: three.uri },
  });
  expect(wrong).toMatchObject({ kind: "refused" });
  expect(await promoteRelease(opened, three.release)).toMatchObject({
    ...{ kind: "refused", message: `release ${three.release} is not registered` },
  });
  const check = await checkUpgrade(opened.book, three.described);
  expect(check).toMatchObject({ blocked: 0, migrations: [] });
  const lacks = check.tenants.flatMap((each) => each.lacks);
  expect(new Set(lacks.map(({ what, keptBy }) => `${what} ${keptBy}`))).toEqual(
    new Set([`pay 1.0.0 ${one.release}`, `refund 1.0.0 ${two.release}`]),
  );
  expect(await registerRelease(opened, { release: three.described, uri: three.uri })).toEqual({
    ...{ kind: "done", release: three.release, uri: three.uri },
  });
  expect(await promotedOf()).toBe(two.release);
  expect(await promoteRelease(opened, three.release)).toMatchObject({ kind: "done" });
}

test("each run finishes by what it was pinned to, through three releases", {
  timeout: 600_000,
}, async () => {
  const one = await start(first);
  const early = [...(await parkAll(pay1, "one")), ...(await parkAll(refund1, "both"))];
  const two = await start(second);
  expect(await promotedOf()).toBe(two.release);
  const later = await parkAll(pay2, "two");

  // An old worker that is started again takes nothing over, and says that it is not the one.
  await one.cut();
  const again = await world.startWorker({
    ...{ host: { loops: first }, isDeployed: false, port: Number(new URL(one.uri).port) },
  });
  expect(again.release).toBe(one.release);
  expect(await promotedOf()).toBe(two.release);
  expect(await again.whyUnready()).toBe(
    `release ${one.release} is not the promoted one: ${two.release} is`,
  );

  // Tools that the promoted release lacks are executed by the older release: no run is blocked.
  const [someEarly, restEarly] = [early.slice(0, 4), early.slice(4)];
  for (const each of someEarly) await approve(each);
  await expectDone(someEarly);
  for (const { run } of someEarly) expect(await typesOf(run)).not.toContain("run.blocked");

  const three = await start(third, false);
  await replace({ one, two, three });
  const shipped = await parkAll(ship3, "three");
  for (const each of [...shipped, ...later.slice(0, 3)]) await approve(each);
  await expectDone([...shipped, ...later.slice(0, 3)]);

  // Parts that unfinished runs need are not removed.
  const needed = restEarly.filter(({ by: tool }) => tool === "pay 1.0.0").length;
  expect(await removeRelease(opened, one.release)).toEqual({
    kind: "refused",
    message: `release ${one.release} is the only one that ${needed} unfinished runs can go on with`,
    next: `keep its workers, and see turnseal deploy drain ${one.release}`,
  });
  // A refusal changes nothing.
  const draining = (await opened.book.list()).filter(({ isDraining }) => isDraining);
  expect(draining).toEqual([]);
  expect(await removeRelease(opened, three.release)).toMatchObject({
    ...{ kind: "refused", message: `release ${three.release} is the promoted one` },
  });

  // Rolled back to the second.
  expect(await promoteRelease(opened, two.release)).toMatchObject({ kind: "done" });
  for (const each of [...restEarly, ...later.slice(3)]) await approve(each);
  await expectDone([...restEarly, ...later.slice(3)]);

  expect(await drainRelease(opened, one.release)).toMatchObject({ kind: "done", needed: 0 });
  expect(await removeRelease(opened, one.release)).toMatchObject({ kind: "done" });
  const left = await readDeployStatus(opened);
  expect(left.releases.map(({ name, state }) => [name, state]).sort()).toEqual(
    [
      [two.release, "promoted"],
      [three.release, "registered"],
    ].sort(),
  );
  expect(left).toMatchObject({ unfinished: 0, blocked: 0 });
});

/** The release whose workers answer at the address of this one, by `turnseal deploy status`. */
async function answersOf(release: string): Promise<string | null | undefined> {
  const { releases } = await readDeployStatus(opened);
  return releases.find(({ name }) => name === release)?.answers;
}

async function readDoor({ door }: Pick<Worker, "door">, path: string): Promise<string> {
  return (await fetch(`${door}/${path}`)).text();
}

test("a release without a living worker is named, and its runs go on when one is back", {
  timeout: 120_000,
}, async () => {
  const four = await start([pay1]);
  const [parked, waits] = [await park(pay1, "blocked"), await park(pay1, "cancelled")];
  const five = await start(third);
  await four.cut();
  expect(await checkUpgrade(opened.book, five.described)).toMatchObject({ blocked: 0 });
  const beganMs = Date.now();
  expect(await answersOf(four.release)).toBeNull();
  expect(Date.now() - beganMs).toBeLessThan(5_000);
  expect(await answersOf(five.release)).toBe(five.release);
  const silent = `note: no worker of release ${four.release} answers at ${four.uri}\n`;
  await world.until(async () => (await readDoor(five, "ready")).includes(silent) || undefined);
  const gauge = `turnseal_release_answers{release="${four.release}"} 0\n`;
  expect(await readDoor(five, "metrics")).toContain(gauge);
  await approve(parked);
  const blocked = async () => (await world.host.show(parked.run))?.blocked ?? undefined;
  expect(await world.until(blocked, 30_000)).toMatchObject({
    ...{ cause: "release-away", what: four.release },
  });
  // A cancel needs no loops.
  await world.host.cancel(waits.run, { key: "stop", by: by.id });
  expect(await world.stoppedOf(waits.run)).toBe("cancelled");
  expect(paid.filter(({ order }) => order === parked.order)).toEqual([]);
  // A wrong image at the address of the release.
  const port = Number(new URL(four.uri).port);
  const wrong = await world.startWorker({ host: { loops: third }, isDeployed: false, port });
  expect(await answersOf(four.release)).toBe(five.release);
  expect(await wrong.whyUnready()).toBe(
    `release ${four.release} is registered at ${four.uri}, and this worker is of release ${five.release}`,
  );
  await wrong.cut();
  await world.startWorker({
    ...{ host: { loops: [pay1] }, isDeployed: false, port },
  });
  await expectDone([parked]);
  expect(await answersOf(four.release)).toBe(four.release);
});

test("what is promoted while its removal counts stays", { timeout: 60_000 }, async () => {
  const old = await start([refund1]);
  const bad = await start([refund1, ship3]);
  const { book } = opened;
  const listTenants = async () => {
    expect(await promoteRelease(opened, old.release)).toMatchObject({ kind: "done" });
    return book.listTenants();
  };
  const racing = { ...opened, book: { ...book, listTenants } };
  expect(await removeRelease(racing, old.release)).toMatchObject({ kind: "refused" });
  expect(await readDeployStatus(opened)).toMatchObject({ promoted: old.release });
  expect(await old.whyUnready()).toBeUndefined();
  expect(await removeRelease(opened, bad.release)).toMatchObject({ kind: "done" });
});

test("runs that move while a release is removed go on with the other that has their loops", {
  timeout: 120_000,
}, async () => {
  const older = await start([pay1]);
  const newer = await start([pay1, audit1]);
  const parked = await Promise.all(
    Array.from({ length: 12 }, (_, at) => park(pay1, `moving-${at}`)),
  );
  await start(third);
  // Both drain, so that runs go to the newer as long as it is there.
  expect(await drainRelease(opened, older.release)).toMatchObject({ kind: "done" });
  const removed = removeRelease(opened, newer.release);
  for (const each of parked) {
    await approve(each);
    await sleep(100);
  }
  expect(await removed).toMatchObject({ kind: "done" });
  await newer.cut();
  await expectDone(parked);
});

test("RELEASES_LIST_MAX releases can be registered, and not one more", {
  timeout: 60_000,
}, async () => {
  const one = await start([pay1, pay2], false);
  const { described: release, uri } = one;
  const { length } = await opened.book.list();
  const names = Array.from({ length: RELEASES_LIST_MAX - length }, (_, at) => `full-${at}`);
  const facts = { loops: [], semantics: 0 };
  for (const name of names) await opened.book.put({ name, uri: "http://127.0.0.1:1", facts });
  expect(await registerRelease(opened, { release, uri })).toMatchObject({
    ...{
      kind: "refused",
      message: `${RELEASES_LIST_MAX} releases are registered, and no more can be`,
    },
  });
  await opened.book.remove(names[0] ?? "");
  expect(await registerRelease(opened, { release, uri })).toMatchObject({ kind: "done" });
  expect(await promoteRelease(opened, one.release)).toMatchObject({ kind: "done" });
  for (const name of names) await opened.book.remove(name);
});

test("an action of an older release has its own time, whatever the promoted one allows", {
  timeout: 60_000,
}, async () => {
  await start([slow]);
  const parked = await park(slow, "slow");
  // Ten seconds to begin, and 1.2 s that are derived from these.
  await world.startWorker({ host: { loops: third }, actionMaxMs: 500, sliceMs: 100 });
  await approve(parked);
  expect(await world.stoppedOf(parked.run)).toBe("goal-reached");
  expect(slowCalls).toBe(1);
});

test("a worker says why it is not ready", { timeout: 60_000 }, async () => {
  const good = await start([audit1]);
  expect(await good.whyUnready()).toBeUndefined();
  const { ingress } = world.engine();
  const others = createIngress({ ingress, tenant: "other", post: postJson });
  const nobodys = randomUUID();
  await others.look(nobodys);
  expect(await world.until(good.whyUnready)).toBe(
    "runs of tenant other came, and this worker does not serve it",
  );
  // There is no such run: its message is not kept to come again for ever.
  const left = `select id from sys_invocation
    where target_service_key = 'other:${nobodys}' and status <> 'completed'`;
  const areGone = async () => ((await world.admin().query(left)).length === 0 ? true : undefined);
  expect(await world.until(areGone)).toBe(true);
  const deaf = await world.startWorker({
    ...{ host: { loops: [audit1] }, isDeployed: false, identityKeys: [IDENTITY.key] },
  });
  const { described: release, uri } = deaf;
  expect(await registerRelease(opened, { release, uri })).toMatchObject({
    ...{ kind: "refused", message: `the engine gets no answer from workers at ${uri}` },
  });
  expect(await deaf.whyUnready()).toBe(
    "the engine signs with an identity key that this worker does not know",
  );
});

test("what no release has is known before anybody looks at the run", {
  timeout: 60_000,
}, async () => {
  const six = await start([audit1]);
  const { run } = await park(audit1, "unseen");
  await start(third);
  const store = mkdtempSync(join(tmpdir(), "turnseal-releases-"));
  const { ingress: host } = world.engine();
  const folder = await openRuns({ host, postgres: world.databaseUrl, tenant: TENANT, store });
  if (folder.kind === "unusable") throw new Error(folder.message);
  const projection = await world.host.show(run);
  expect(await findObstacle(folder, { run, projection })).toBeUndefined();
  await opened.book.remove(six.release);
  await sleep(1_100);
  expect(await findObstacle(folder, { run, projection })).toEqual({
    ...{ why: "loop-missing", what: "audit 1.0.0" },
  });
  expect(await typesOf(run)).not.toContain("run.blocked");
  await folder.stores.close();
  rmSync(store, { recursive: true });
});

test("the identity key is rotated while runs wait, as the page says", {
  timeout: 120_000,
}, async () => {
  const { identityKey: old } = world.engine();
  const both = await world.startWorker({
    ...{ host: { loops: [audit1] }, identityKeys: [old, IDENTITY.key] },
  });
  const parked = await park(audit1, "rotated");
  const behind = await start([refund1], false);
  await world.restartEngine(IDENTITY.pem);
  expect(world.engine().identityKey).toBe(IDENTITY.key);
  await approve(parked);
  await expectDone([parked]);
  expect(await both.whyUnready()).toBeUndefined();
  const { described: release, uri } = behind;
  expect(await registerRelease(opened, { release, uri })).toMatchObject({ kind: "refused" });
  expect(await behind.whyUnready()).toBe(
    "the engine signs with an identity key that this worker does not know",
  );
});
