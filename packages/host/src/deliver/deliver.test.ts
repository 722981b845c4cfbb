// A start that can never be delivered ends the claim that it belongs to.

import { emptyProjection, listHandoffs } from "@turnseal/folds";
import {
  INBOX_CANCELS_MAX,
  manualClock,
  memoryStores,
  type Stores,
  seededIds,
} from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { bindHost } from "../bind-host.ts";
import { createLocalHost } from "../local/local-host.ts";
import type { FilesToAttach } from "../messages/files-to-attach.ts";
import { stepRun } from "../restate/step-run.ts";
import { signer } from "../scenarios/__fixtures__/refund-desk.ts";
import { OWING_PAUSE_MS, PARENT_CANCEL_KEY } from "./deliver.ts";

const anything = jsonSchema<JsonValue>(true);
const budget = { effects: 2, toolCalls: 4, turns: 2, handoffs: 0 };
const grant = {
  ...{ grantor: "ada", tools: ["turnseal.question"], handoffs: ["worker"] },
  budget: { effects: 5, toolCalls: 20, turns: 20, handoffs: 5 },
};

function openOffice(see: (stores: Stores) => Stores = (stores) => stores) {
  const clock = manualClock();
  const stores = see(memoryStores(clock));
  const worker = defineTool({
    ...{ id: "worker", version: "1.0.0", implementation: "turnseal.question" },
    ...{ input: anything, output: anything },
    run: () => null,
  });
  const delegate = defineTool({
    ...{ id: "delegate", version: "1.0.0", implementation: "turnseal.handoff" },
    config: { loop: "worker", grant: { tools: ["turnseal.question"], budget } },
    ...{ input: anything, output: anything },
    run: () => null,
  });
  const options = {
    ...{ loops: [worker, delegate], stores, signer, clock, ids: seededIds("office") },
  };
  const host = createLocalHost(options);
  const start = (files?: FilesToAttach) =>
    host.start(delegate, {}, { key: "run", grant, ...(files === undefined ? {} : { files }) });
  return { host, stores, options, start };
}

const refusing =
  (reason: "too-large" | "erased") =>
  (stores: Stores): Stores => ({
    ...stores,
    inbox: {
      ...stores.inbox,
      put: async (message) =>
        message.kind === "start" && message.body["spec"] !== undefined && isOfChild(message.body)
          ? { kind: "refused", reason }
          : stores.inbox.put(message),
    },
  });

function isOfChild({ spec }: { readonly [name: string]: JsonValue }): boolean {
  return typeof spec === "object" && spec !== null && "parent" in spec;
}

const settlementsOf = async (stores: Stores, run: string) =>
  (await stores.log.read(run, 1)).filter((event) => event.type === "action.settled");

test.each(["too-large", "erased"] as const)(
  "a start that is refused as %s settles its claim, with the cause, and the run goes on",
  async (reason) => {
    const { host, stores, start } = openOffice(refusing(reason));
    const run = await start();
    expect(await host.drive(run)).toMatchObject({ dues: { kind: "done" } });
    const [settled, ...others] = await settlementsOf(stores, run);
    expect(others).toEqual([]);
    expect(settled).toMatchObject({
      actor: { kind: "host", id: "host" },
      content: { action: "handoff", status: "failed", undelivered: reason },
    });
    // A row that no store keeps started nothing; of any other nobody can say what was spent.
    const { reserve, spent } = settled?.content ?? {};
    expect(spent).toEqual(reason === "too-large" ? { handoffs: 1 } : reserve);
  },
);

test("under an engine the run that was told so is carried on at once", async () => {
  const { options, start } = openOffice(refusing("too-large"));
  const run = await start();
  const ports = bindHost(options);
  expect(await stepRun(run, ports, {})).toMatchObject({ continues: true });
  expect(await stepRun(run, ports, {})).toMatchObject({ continues: false, others: [] });
});

test("a run that was erased while it was waited for is no reason to wait for ever", async () => {
  const { host, stores, start } = openOffice();
  const run = await start();
  const waiting = await host.drive(run);
  expect(waiting.dues.kind).toBe("wait");
  const child = "projection" in waiting ? waiting.projection.openTurn?.open[0]?.handoff?.child : "";
  await stores.blobs.erase(child ?? "");
  expect(await host.drive(run)).toMatchObject({ dues: { kind: "done" } });
  expect(await settlementsOf(stores, run)).toMatchObject([{ content: { undelivered: "erased" } }]);
});

const png = Uint8Array.from([
  ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52],
  ...[0, 0, 0, 2, 0, 0, 0, 2, 8, 6, 0, 0, 0, 1],
]);

/** Stores that note the run of each stored file. */
const noting =
  (stored: string[]) =>
  (stores: Stores): Stores => ({
    ...stores,
    blobs: {
      ...stores.blobs,
      put: async (run, blob) => {
        if (blob.mediaType === "image/png") stored.push(run);
        await stores.blobs.put(run, blob);
      },
    },
  });

test("files are handed over once, however often a run that waits is looked at", async () => {
  const stored: string[] = [];
  const { host, stores, start } = openOffice(noting(stored));
  const run = await start({ "/photo": { bytes: png, mediaType: "image/png" } });
  for (let looks = 0; looks < 3; looks++) await host.advance(run);
  await host.drive(run);
  const [child = ""] = listHandoffs((await host.show(run)) ?? emptyProjection(run)).map(
    (handoff) => handoff.child,
  );
  await host.advance(run);
  expect(stored).toEqual([run, child]);
  const [asked] = await host.requests(child);
  const answer = await host.keepFile(child, { bytes: png, mediaType: "image/png" });
  await host.answer(child, asked?.id ?? "", {
    by: { id: "ada", roles: [] },
    answer: answer as unknown as JsonValue,
  });
  expect(await host.drive(run)).toMatchObject({ dues: { kind: "done" } });
  const after = [...stored];
  expect(after).toEqual([run, child, child, run]);
  for (const one of [child, run]) await host.advance(one);
  expect(stored).toEqual(after);
  expect(await settlementsOf(stores, run)).toMatchObject([{ content: { status: "ok" } }]);
});

test("a run that was given files and erased is no reason to wait for ever", async () => {
  const { host, stores, start } = openOffice();
  const run = await start({ "/photo": { bytes: png, mediaType: "image/png" } });
  await host.drive(run);
  const [handoff] = listHandoffs((await host.show(run)) ?? emptyProjection(run));
  await stores.blobs.erase(handoff?.child ?? "");
  expect(await host.drive(run)).toMatchObject({ dues: { kind: "done" } });
});

async function openChild({ host, start }: ReturnType<typeof openOffice>) {
  const run = await start();
  await host.drive(run);
  const child = (await host.show(run))?.openTurn?.open[0]?.handoff?.child ?? "";
  return { run, child };
}

test("nobody keeps the cancel of a run from those below by taking its key", async () => {
  const office = openOffice();
  const { host, stores } = office;
  const { run, child } = await openChild(office);
  for (const key of ["parent", "parent:cancel", run])
    await host.cancel(child, { key, by: "mallory", turn: 99 });
  await host.cancel(run, { key: "stop", by: "ada" });
  expect((await host.drive(run)).dues.kind).toBe("done");
  expect(await host.show(child)).toMatchObject({ stopped: "cancelled" });
  const cancels = (await stores.log.read(child, 1)).filter(
    ({ type, content }) => type === "signal.received" && content.kind === "cancel",
  );
  expect(cancels).toMatchObject([{ actor: { kind: "run", id: run } }]);
});

test("a cancel that finds no room is put again, also under an engine", async () => {
  const office = openOffice();
  const { host, options } = office;
  const { run, child } = await openChild(office);
  for (let index = 0; index < INBOX_CANCELS_MAX; index++)
    await host.cancel(child, { key: String(index), by: "mallory", turn: 99 });
  await host.cancel(run, { key: "stop", by: "ada" });
  const ports = bindHost(options);
  const { others, wakeAtMs = 0, nowMs } = await stepRun(run, ports, {});
  expect(others).toEqual([child]);
  expect(wakeAtMs - nowMs).toBe(OWING_PAUSE_MS);
  await stepRun(child, ports, {});
  await stepRun(run, ports, {});
  await stepRun(child, ports, {});
  await stepRun(run, ports, {});
  expect(await host.show(run)).toMatchObject({ stopped: "cancelled" });
});

test("a cancel that can never be delivered leaves nobody waiting", async () => {
  const office = openOffice((stores) => ({
    ...stores,
    inbox: {
      ...stores.inbox,
      put: async (message) =>
        message.key === PARENT_CANCEL_KEY
          ? { kind: "refused", reason: "other-message" }
          : stores.inbox.put(message),
    },
  }));
  const { host, stores } = office;
  const { run } = await openChild(office);
  await host.cancel(run, { key: "stop", by: "ada" });
  expect((await host.drive(run)).dues.kind).toBe("done");
  expect(await settlementsOf(stores, run)).toMatchObject([
    { content: { undelivered: "other-message" } },
  ]);
});
