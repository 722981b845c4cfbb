/**
 * A connection that breaks around a commit. The server is real, and so is the cut: a proxy closes
 * the sockets before the statement arrives, or after it was committed and before it is answered.
 */
import { headAfter, sampleAppend, sampleBlob, sampleMessage } from "@turnseal/ports/contracts";
import { checkChain, EMPTY_HEAD } from "@turnseal/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CuttingProxy, openCuttingProxy } from "./cutting-proxy.test.data.ts";
import { ATTEMPTS_MAX, openConnections } from "./open-database.ts";
import type { PostgresStores } from "./postgres-pool.ts";
import { createScratch, type Scratch, TEST_ROLES } from "./scratch-database.test.data.ts";
import { readHead } from "./statements/read-head.ts";

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
let scratch: Scratch;
let proxy: CuttingProxy;
beforeAll(async () => {
  scratch = await createScratch();
  proxy = await openCuttingProxy(scratch.url);
});
afterAll(async () => {
  await scratch.drop();
  await proxy.close();
});

/** Two workers of one tenant: one behind the network that breaks, and one beside it. */
async function openTwo(tenant: string): Promise<[PostgresStores, PostgresStores]> {
  return [
    await scratch.open({ tenant, url: proxy.url, roles: TEST_ROLES }),
    await scratch.open({ tenant }),
  ];
}

test("an append that was cut before it arrived is made by the second attempt", async () => {
  const [stores, other] = await openTwo("before");
  const { epoch } = await stores.log.takeEpoch(run);
  const append = sampleAppend({ epoch, count: 2 }, { blobs: [sampleBlob("one")] });
  const before = proxy.cuts();
  proxy.cutNext("before", "append-events");
  expect(await stores.log.append(append)).toEqual({ kind: "appended", inboxIsEmpty: true });
  expect(proxy.cuts()).toBe(before + 1);
  expect(await other.log.read(run, 1)).toEqual(append.events);
});

test("an append whose answer was cut off is found to be there, and is not made twice", async () => {
  const [stores, other] = await openTwo("after");
  const { epoch } = await stores.log.takeEpoch(run);
  await other.inbox.put(sampleMessage("hello"));
  const append = sampleAppend({ epoch, count: 2 }, { blobs: [sampleBlob("one")] });
  const before = proxy.cuts();
  proxy.cutNext("after", "append-events");
  expect(await stores.log.append(append)).toEqual({ kind: "duplicate", inboxIsEmpty: false });
  expect(proxy.cuts()).toBe(before + 1);
  expect(await other.log.read(run, 1)).toEqual(append.events);
  expect((await other.log.readHead(run))?.sequence).toBe(2);
  // The writer goes on from there.
  const next = sampleAppend({ epoch, after: headAfter(append) });
  expect((await stores.log.append(next)).kind).toBe("appended");
});

test.each(["before", "after"] as const)(
  "an append that was cut %s its commit is fenced once another has taken over",
  async (cut) => {
    const [stores, other] = await openTwo(`fenced-${cut}`);
    const { epoch } = await stores.log.takeEpoch(run);
    let taken = 0;
    proxy.cutNext(cut, "append-events", async () => {
      taken = (await other.log.takeEpoch(run)).epoch;
    });
    const answer = await stores.log.append(sampleAppend({ epoch }));
    expect(taken).toBe(epoch + 1);
    expect(answer).toEqual({ kind: "fenced", epoch: taken });
    expect((await other.log.read(run, 1)).length).toBe(cut === "after" ? 1 : 0);
  },
);

test("cut at every append, a long log is one chain without a gap", async () => {
  const [stores, other] = await openTwo("chain");
  const { epoch } = await stores.log.takeEpoch(run);
  let after = EMPTY_HEAD;
  const kinds: string[] = [];
  for (let round = 0; round < 30; round++) {
    const append = sampleAppend({ epoch, after, count: 3 });
    proxy.cutNext(round % 2 === 0 ? "after" : "before", "append-events");
    kinds.push((await stores.log.append(append)).kind);
    after = headAfter(append);
  }
  const expected = Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? "duplicate" : "appended"));
  expect(kinds).toEqual(expected);
  const events = await other.log.read(run, 1);
  expect(checkChain(run, EMPTY_HEAD, events)).toEqual({ kind: "intact", head: after });
  expect(after.sequence).toBe(90);
});

test("a message, a key and an epoch whose answers were cut off are there once", async () => {
  const [stores, other] = await openTwo("once");
  proxy.cutNext("after", "put-message");
  expect(await stores.inbox.put(sampleMessage("hello"))).toEqual({ kind: "known" });
  expect((await other.inbox.peek(run)).length).toBe(1);
  const key = new Uint8Array(32).fill(7);
  proxy.cutNext("after", "keep-key");
  expect(await stores.blobs.keepKey(run, key)).toEqual(key);
  proxy.cutNext("after", "take-epoch");
  expect((await stores.log.takeEpoch(run)).epoch).toBe(2);
});

test("a lost server is tried ATTEMPTS_MAX times, and is unreachable then", async () => {
  const connections = openConnections({ url: proxy.url });
  const db = connections.enter(TEST_ROLES.worker, "gone");
  const cutAll = (left: number): void => {
    if (left > 0) proxy.cutNext("before", "read-head", async () => cutAll(left - 1));
  };
  const before = proxy.cuts();
  cutAll(ATTEMPTS_MAX - 1);
  expect(await readHead(db, run)).toBeUndefined();
  expect(proxy.cuts()).toBe(before + ATTEMPTS_MAX - 1);
  cutAll(ATTEMPTS_MAX);
  await expect(readHead(db, run)).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  expect(proxy.cuts()).toBe(before + 2 * ATTEMPTS_MAX - 1);
  await connections.close();
});
