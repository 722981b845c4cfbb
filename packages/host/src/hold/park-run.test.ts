// A run that would fail for ever is parked with its cause, and can be cancelled.
import {
  manualClock,
  memoryStores,
  StoreError,
  type Stores,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import type { JsonValue, RunBounds } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { bindHost } from "../bind-host.ts";
import type { Blocked } from "../decide/advanced.ts";
import { createLocalHost } from "../local/local-host.ts";
import { stepRun } from "../restate/step-run.ts";
import { signer } from "../scenarios/__fixtures__/refund-desk.ts";

const anything = jsonSchema<JsonValue>(true);
const chat = definePrompt({
  ...{ id: "chat", version: "1.0.0", input: anything, output: anything, template: "go" },
});
const question = defineTool({
  ...{ id: "question", version: "1.0.0", implementation: "turnseal.question" },
  ...{ input: anything, output: anything },
  run: () => null,
});

/** A host whose store loses content on demand. */
function openDesk() {
  const clock = manualClock();
  const stores = memoryStores(clock);
  let isLost = false;
  const losing: Stores = {
    ...stores,
    blobs: {
      ...stores.blobs,
      read: async (run, digest) => (isLost ? undefined : stores.blobs.read(run, digest)),
    },
  };
  const options = {
    ...{ loops: [chat, question], stores: losing, signer, clock, ids: seededIds("desk") },
    models: { scripted: scriptedModel(["first", "second", "third"]) },
  };
  const grant = { grantor: "ada", tools: ["turnseal.question"], budget: {} };
  const host = createLocalHost(options);
  return {
    host,
    stores,
    ports: bindHost(options),
    lose: (lost = true) => {
      isLost = lost;
    },
    start: (loop: Loop<JsonValue, JsonValue>, bounds: Partial<RunBounds> = {}) =>
      host.start(loop, {}, { key: "run", grant, bounds }),
  };
}

const awaiting = { awaits: ["message"], nextInput: { text: "$.signals.message" } };
const message = (key: string) => ({ name: "message", payload: "hi", key, by: "ada" });
const blockedBy = { kind: "blocked", why: "error", what: "LOG_CONTENT_MISSING" };

const typesOf = async (stores: Stores, run: string) =>
  (await stores.log.read(run, 1)).map(({ type }) => type);

test("a run that fails between two turns is blocked with the code, said once", async () => {
  const { host, stores, lose, start } = openDesk();
  const run = await start(chat, awaiting);
  await host.drive(run);
  await host.signal(run, message("1"));
  lose();
  expect((await host.drive(run)).dues).toMatchObject(blockedBy);
  expect((await host.drive(run)).dues).toMatchObject(blockedBy);
  const blocks = (await typesOf(stores, run)).filter((type) => type === "run.blocked");
  expect(blocks).toHaveLength(1);
  expect((await host.show(run))?.blocked).toMatchObject({ cause: "error" });
});

test("it goes on once what failed was mended", async () => {
  const { host, lose, start } = openDesk();
  const run = await start(chat, awaiting);
  await host.drive(run);
  await host.signal(run, message("1"));
  lose();
  await host.drive(run);
  lose(false);
  expect((await host.drive(run)).dues).toEqual({ kind: "wait" });
  expect(await host.show(run)).toMatchObject({ turns: 2, blocked: null });
});

test("it can be cancelled between two turns", async () => {
  const { host, lose, start } = openDesk();
  const run = await start(chat, awaiting);
  await host.drive(run);
  await host.signal(run, message("1"));
  lose();
  await host.drive(run);
  await host.cancel(run, { key: "c", by: "ada" });
  expect(await host.drive(run)).toMatchObject({ projection: { stopped: "cancelled" } });
});

test("it can be cancelled in an open turn, which is closed and sealed as it stands", async () => {
  const { host, stores, lose, start } = openDesk();
  const run = await start(question);
  await host.drive(run);
  const [asked] = await host.requests(run);
  await host.answer(run, asked?.id ?? "", { answer: 1, by: { id: "ada", roles: [] } });
  lose();
  expect((await host.drive(run)).dues).toMatchObject(blockedBy);
  await host.cancel(run, { key: "c", by: "ada" });
  expect(await host.drive(run)).toMatchObject({ projection: { stopped: "cancelled" } });
  expect(await stores.receipts.read(run, 1)).toBeDefined();
});

test("an engine does not try it again, and its operator is told", async () => {
  const { host, ports, lose, start } = openDesk();
  const run = await start(chat, awaiting);
  await host.drive(run);
  await host.signal(run, message("1"));
  lose();
  const told: Blocked[] = [];
  const onBlocked = (_: string, blocked: Blocked) => void told.push(blocked);
  const owed = await stepRun(run, ports, { onBlocked });
  expect(owed).toMatchObject({ continues: false, others: [] });
  expect(owed.wakeAtMs).toBeUndefined();
  expect(told).toMatchObject([blockedBy]);
});

test("a run whose first turn cannot be written has started, and says why it stands", async () => {
  const { host, stores, ports, start } = openDesk();
  const run = await start(chat);
  const append: Stores["log"]["append"] = (batch) =>
    batch.events.some(({ type }) => type === "turn.started") ? corrupt() : stores.log.append(batch);
  const broken = { ...ports, stores: { ...ports.stores, log: { ...stores.log, append } } };
  const told: Blocked[] = [];
  await stepRun(run, broken, { onBlocked: (_, blocked) => void told.push(blocked) });
  expect(told).toMatchObject([{ why: "error", what: "STORE_CORRUPT" }]);
  expect(await typesOf(stores, run)).toEqual(["run.started", "run.blocked"]);
  expect(await stores.inbox.peek(run)).toEqual([]);
  expect(await host.drive(run)).toMatchObject({ projection: { stopped: "goal-reached" } });
});

test("where not even the cause can be written down, the engine stops as well", async () => {
  const { host, stores, ports, start } = openDesk();
  const run = await start(chat, awaiting);
  await host.drive(run);
  await stores.runs.drop(run);
  const broken = { ...ports, stores: { ...ports.stores, runs: { ...stores.runs, read: corrupt } } };
  const told: Blocked[] = [];
  const onBlocked = (_: string, blocked: Blocked) => void told.push(blocked);
  expect((await stepRun(run, broken, { onBlocked })).wakeAtMs).toBeUndefined();
  expect(told).toMatchObject([{ why: "error", what: "STORE_CORRUPT" }]);
});

async function corrupt(): Promise<never> {
  throw new StoreError("STORE_CORRUPT", "the snapshot cannot be read");
}
