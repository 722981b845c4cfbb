// An attacker with access to a store exchanges content: it is never shown as the original.
import { memoryStores, type Stores, systemClock } from "@turnseal/ports";
import { expect, test } from "vitest";
import { listRequests } from "../../messages/requests.ts";
import { readSession } from "../../read/session/read-session.ts";
import { readContent } from "../../state/read-content.ts";
import { openStage } from "./approval-stage.test.data.ts";

/** The stores, where every 1200 that was written is now a 12. */
function exchange(stores: Stores): Stores {
  const read: Stores["blobs"]["read"] = async (run, digest) => {
    const bytes = await stores.blobs.read(run, digest);
    if (bytes === undefined) return undefined;
    return new TextEncoder().encode(new TextDecoder().decode(bytes).replaceAll("1200", "12"));
  };
  return { ...stores, blobs: { ...stores.blobs, read } };
}

test("a person who decides is not shown another action than the one asked for", async () => {
  const stage = await openStage();
  const { stores, host } = stage.desk();
  const projection = await host.show(stage.run);
  const [honest] = await listRequests(projection, stores);
  expect(honest?.request).toMatchObject({ cents: 1200 });
  const [shown] = await listRequests(projection, exchange(stores));
  expect(shown?.id).toBe(honest?.id);
  expect(shown?.request).toBeUndefined();
});

test("nor is whoever watches the session", async () => {
  const stage = await openStage();
  const { stores } = stage.desk();
  const read = async (seen: Stores) => JSON.stringify(await readSession(seen, stage.run));
  expect(await read(stores)).toContain('"cents":1200');
  expect(await read(exchange(stores))).not.toContain('"cents":12');
});

test("nor whoever asks for what a run gave", async () => {
  const stage = await openStage();
  await stage.approve();
  await stage.desk().drive(stage.run);
  const { stores, host } = stage.desk();
  const output = (await host.show(stage.run))?.lastTurn?.output;
  if (output === undefined || output === null) throw new Error("the turn has no output");
  expect(JSON.stringify(await readContent(stores, stage.run, output))).toContain("1200");
  expect(await readContent(exchange(stores), stage.run, output)).toBeUndefined();
});

test("content of a run without a key is none", async () => {
  const stores = memoryStores(systemClock);
  const bytes = new TextEncoder().encode("1");
  const digest = `hmac-sha256:${"a".repeat(64)}` as const;
  await stores.blobs.put("run", { digest, size: 1, mediaType: "application/json", bytes });
  expect(await readContent(stores, "run", { digest })).toBeUndefined();
});
