// Rows with fields of a wrong type: only a client of the store puts them, and they block no other
// row.

import { emptyProjection } from "@turnseal/folds";
import { INBOX_POLL_MS } from "@turnseal/kernel";
import {
  createMemorySigner,
  type InboxMessage,
  manualClock,
  memoryStores,
  type Stores,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test, vi } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { readWaiting } from "../../read/run/waiting.ts";

/** JSON that no text can be made of by asking it for one. */
const odd = { toString: 0, valueOf: 0 };

const any = jsonSchema<JsonValue>(true);

interface Cancelled {
  readonly rows: readonly Omit<InboxMessage, "run" | "kind">[];
  readonly see?: (stores: Stores) => Stores;
}

/** Cancels a run while its tool works, behind other rows: true if the tool was aborted. */
async function cancelBehind({ rows, see = (stores) => stores }: Cancelled) {
  const clock = manualClock();
  const stores = see(memoryStores(clock));
  const failures: unknown[] = [];
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let isAborted = false;
  const tool = defineTool({
    ...{ id: "work", version: "1.0.0", implementation: "local.work", effect: "read", build: "1" },
    ...{ input: any, output: any },
    run: (_: JsonValue, { signal }) =>
      new Promise<JsonValue>((resolve) => {
        begin();
        signal.addEventListener("abort", () => {
          isAborted = true;
          resolve("stopped");
        });
      }),
  });
  const agent = definePrompt({
    ...{ id: "agent", version: "1.0.0", template: "go", input: any, output: any },
    ...{ tools: [tool], feedback: "hint" },
  });
  const host = createLocalHost({
    ...{ loops: [tool, agent], stores, clock, ids: seededIds("odd") },
    signer: await createMemorySigner(),
    models: {
      scripted: scriptedModel([{ toolCalls: [{ tool: "local__work", input: {} }] }, "done"]),
    },
    onLookFailed: (run, error) => failures.push([run, error]),
  });
  const grant = { grantor: "ada", tools: ["local.work"], budget: {} };
  const run = await host.start(agent, {}, { key: "r", grant });
  const driven = host.drive(run);
  await begun;
  for (const row of rows) await stores.inbox.put({ run, kind: "signal", ...row });
  await host.cancel(run, { key: "c", by: "ada" });
  await vi.waitUntil(() => {
    clock.advance(INBOX_POLL_MS);
    return isAborted;
  });
  await driven;
  return { stopped: (await host.show(run))?.stopped, failures, run };
}

test.each([
  ["an object", odd],
  ["a list", ["hint"]],
  ["nothing", null],
])("a signal whose name is %s keeps no cancel from a tool that works", async (_, name) => {
  const row = { key: "signal:x", body: { name, payload: 1, by: "eve" } };
  expect(await cancelBehind({ rows: [row] })).toMatchObject({ stopped: "cancelled", failures: [] });
});

test("a look that fails is told, and the cancel is found by the next", async () => {
  let looks = 0;
  const away = new Error("the store is away");
  const see = (stores: Stores): Stores => ({
    ...stores,
    inbox: {
      ...stores.inbox,
      has: async (run, kind) => {
        looks += kind === "cancel" ? 1 : 0;
        if (looks === 1) throw away;
        return stores.inbox.has(run, kind);
      },
    },
  });
  const { stopped, failures, run } = await cancelBehind({ rows: [], see });
  expect({ stopped, failures }).toEqual({ stopped: "cancelled", failures: [[run, away]] });
});

test("what waits is shown where a row of the inbox holds no text", async () => {
  const stores = memoryStores(manualClock());
  await stores.blobs.keepKey("r", new Uint8Array(32));
  const body = { approval: "x", by: { id: odd }, choice: odd };
  await stores.inbox.put({ run: "r", key: "decide:x", kind: "decide", body });
  const { kept } = await readWaiting(stores, emptyProjection("r"));
  expect(kept).toEqual([{ about: "x", by: JSON.stringify(odd), said: JSON.stringify(odd) }]);
});
