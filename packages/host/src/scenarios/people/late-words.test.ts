// Answers of people about an action once its run has stopped. No other event follows a stop.

import type { UnknownEnd } from "@turnseal/folds";
import { manualClock, memoryStores, seededIds } from "@turnseal/ports";
import { canonicalize, type JsonValue, type LoopEvent } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { verifyRun } from "@turnseal/protocol/receipts";
import { describe, expect, test } from "vitest";
import { settleStopped } from "../../hold/settle-stopped.ts";
import { createLocalHost } from "../../local/local-host.ts";
import { createRunClient } from "../../local/run-client.ts";
import { cancelMessage, resolveMessage, signalMessage } from "../../messages/inbox-messages.ts";
import { collectEvents } from "../../state/load-projection.ts";
import { policyOf, signer, signingKey } from "../__fixtures__/refund-desk.ts";

const anything = jsonSchema<JsonValue>(true);
const finance = { id: "fin", roles: ["finance"] };
const other = { id: "ole", roles: ["finance"] };
const intern = { id: "intern", roles: [] };

/** A run that was cancelled while nobody knew whether it had paid. */
async function cancelUnknown({ isAsked = false } = {}) {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", implementation: "local.pay", effect: "once", build: "test" },
    input: anything,
    output: anything,
    run: () => {
      throw new Error("the connection was lost");
    },
  });
  const rule = { id: "ask", decision: "ask", tools: ["local.pay"], role: "finance" } as const;
  const policy = isAsked ? { policy: policyOf(rule) } : {};
  const ids = seededIds("late");
  const host = createLocalHost({ loops: [pay], stores, signer, clock, ids });
  const grant = { grantor: "ada", tools: ["local.pay"], budget: { effects: 2 } };
  const run = await host.start(pay, {}, { key: "run", grant, ...policy });
  await host.drive(run);
  const request = (await host.requests(run)).find(({ kind }) => kind === "approval");
  if (request !== undefined) {
    await host.decide(run, request.id, { choice: "approve", by: finance });
    await host.drive(run);
  }
  await host.cancel(run, { key: "c", by: "ada" });
  await host.drive(run);
  const readEnd = async (): Promise<UnknownEnd> => {
    const [end] = (await host.show(run))?.unknownEnds ?? [];
    if (end === undefined) throw new Error("nothing is unknown");
    return end;
  };
  const readEvents = (): Promise<LoopEvent[]> => collectEvents(stores.log, run, 1);
  const verify = async () => {
    const receipts = await stores.receipts.list(run, 1);
    const texts = receipts.map(({ envelope }) => canonicalize(envelope));
    const read = { run, events: await readEvents(), receipts: texts };
    return verifyRun(read, { keys: [signingKey] });
  };
  return { host, stores, clock, ids, run, readEnd, readEvents, verify, end: await readEnd() };
}

test("a cancelled run with an unknown effect waits for a word, and takes one", async () => {
  const { host, stores, run, end, readEnd, readEvents, verify } = await cancelUnknown();
  const before = await host.show(run);
  expect(before).toMatchObject({ stopped: "cancelled" });
  expect(await stores.runs.read(run)).toMatchObject({
    endedAt: before?.stoppedAt,
    waiting: [{ kind: "unknown", id: end.key, name: "local.pay" }],
  });
  const word = { key: end.key, resolution: "happened", result: { paid: 1 }, by: finance } as const;
  expect(await host.resolve(run, word)).toEqual({ kind: "stored" });
  expect(await readEnd()).toMatchObject({ said: { resolution: "happened", by: "fin" } });
  const after = await host.show(run);
  expect(after).toMatchObject({ stopped: "cancelled", stoppedAt: before?.stoppedAt });
  expect(after?.spending).toEqual(before?.spending);
  const snapshot = await stores.runs.read(run);
  expect(snapshot).toMatchObject({ endedAt: before?.stoppedAt });
  expect(snapshot).not.toHaveProperty("waiting");
  const last = (await readEvents()).at(-1);
  expect(last).toMatchObject({ type: "run.resolved", actor: { kind: "person", id: "fin" } });
  expect(last).not.toHaveProperty("turn");
  expect(JSON.stringify(last)).not.toContain("paid");
  const { verdict, sealedUntil, events } = await verify();
  expect(verdict).toBe("valid");
  expect(sealedUntil).toBeLessThan(events - 1);
  expect(await host.drive(run)).toMatchObject({ dues: { kind: "done" } });
});

describe("what is not taken", () => {
  test("is retry, which nothing could follow", async () => {
    const { host, run, end } = await cancelUnknown();
    const word = { key: end.key, resolution: "retry", by: finance } as const;
    await expect(host.resolve(run, word)).rejects.toMatchObject({
      code: "ANSWER_REFUSED",
      message: "an answer is one of happened, never, abandon",
    });
  });

  test("is a second word, of the same person or of another", async () => {
    const { host, run, end, readEvents } = await cancelUnknown();
    await host.resolve(run, { key: end.key, resolution: "never", by: finance });
    const { length } = await readEvents();
    for (const by of [finance, other])
      await expect(
        host.resolve(run, { key: end.key, resolution: "happened", by }),
      ).rejects.toMatchObject({ code: "CLAIM_NOT_UNKNOWN" });
    expect(await readEvents()).toHaveLength(length);
  });

  test("is the word of whoever lacks the role, or is nobody", async () => {
    const { host, stores, run, end, readEvents } = await cancelUnknown({ isAsked: true });
    const say = (by: typeof finance) =>
      host.resolve(run, { key: end.key, resolution: "abandon", by });
    await expect(say(intern)).rejects.toMatchObject({ code: "ROLE_MISSING" });
    await expect(say({ id: "", roles: ["finance"] })).rejects.toMatchObject({
      code: "IDENTITY_MISSING",
    });
    await stores.inbox.put(resolveMessage(run, end, { resolution: "abandon", by: intern }));
    const { length } = await readEvents();
    await host.drive(run);
    expect(await readEvents()).toHaveLength(length);
    expect(await say(finance)).toEqual({ kind: "stored" });
    expect((await readEvents()).at(-1)?.content).toMatchObject({ roles: ["finance"] });
  });

  test("is anything else that is told a run which has stopped", async () => {
    const { host, stores, run, end, readEvents } = await cancelUnknown();
    const { length } = await readEvents();
    await stores.inbox.put(cancelMessage(run, { key: "again", by: "ada" }));
    const signal = { name: "n", payload: null, key: "s", by: "ada" };
    await stores.inbox.put(signalMessage(run, signal));
    await host.resolve(run, { key: end.key, resolution: "abandon", by: finance });
    await host.drive(run);
    expect((await readEvents()).slice(length).map(({ type }) => type)).toEqual(["run.resolved"]);
    expect(await stores.inbox.has(run, "cancel")).toBe(true);
    expect(await stores.inbox.has(run, "signal")).toBe(true);
  });

  test("is a word after its content was erased", async () => {
    const { host, stores, run, end, readEvents } = await cancelUnknown();
    const { length } = await readEvents();
    await stores.blobs.erase(run);
    const word = { key: end.key, resolution: "never", by: finance } as const;
    expect(await host.resolve(run, word)).toEqual({ kind: "refused", reason: "erased" });
    expect(await readEvents()).toHaveLength(length);
  });
});

describe("of two who speak at once", () => {
  test("the first is the answer, and the other is told so", async () => {
    const { host, run, end, readEnd, readEvents } = await cancelUnknown();
    const say = (resolution: "happened" | "never", by: typeof finance) =>
      host.resolve(run, { key: end.key, resolution, by });
    const told = await Promise.allSettled([say("happened", finance), say("never", other)]);
    const { said } = await readEnd();
    const winner = said?.by === finance.id ? 0 : 1;
    expect(told[winner]).toMatchObject({ status: "fulfilled" });
    expect(told[1 - winner]).toMatchObject({ reason: { code: "CLAIM_NOT_UNKNOWN" } });
    const late = (await readEvents()).filter(({ type }) => type === "run.resolved");
    expect(late).toHaveLength(1);
  });

  test("the later learns of the first while nobody has taken it in yet", async () => {
    const { stores, clock, ids, run, end, readEnd } = await cancelUnknown();
    const told = createRunClient({ loops: [], stores, clock, put: stores.inbox.put });
    const word = { key: end.key, by: finance } as const;
    expect(await told.resolve(run, { ...word, resolution: "never" })).toEqual({ kind: "stored" });
    await expect(
      told.resolve(run, { key: end.key, resolution: "happened", by: other }),
    ).rejects.toMatchObject({
      code: "CLAIM_NOT_UNKNOWN",
      message: "fin said before you of local.pay: never",
    });
    expect(await told.resolve(run, { ...word, resolution: "never" })).toEqual({ kind: "known" });
    await settleStopped(run, { stores, clock, ids });
    expect(await readEnd()).toMatchObject({ said: { resolution: "never", by: "fin" } });
  });
});

test("a word that was put before the stop is taken in after it", async () => {
  const { host, stores, run, end, readEnd } = await cancelUnknown();
  await stores.inbox.put(resolveMessage(run, end, { resolution: "retry", by: finance }));
  await stores.inbox.put(resolveMessage(run, end, { resolution: "abandon", by: other }));
  expect(await host.drive(run)).toMatchObject({ projection: { stopped: "cancelled" } });
  expect(await readEnd()).toMatchObject({ said: { resolution: "abandon", by: "ole" } });
});
