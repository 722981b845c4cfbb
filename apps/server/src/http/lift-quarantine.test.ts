// The quarantine of a run whose tool has taken workers down, and who lifts it over HTTP.

import { findQuarantined } from "@turnseal/folds";
import { advance, bindHost, createLocalHost } from "@turnseal/host";
import { createMemorySigner, manualClock, memoryStores, seededIds } from "@turnseal/ports";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createServer } from "../create-server.ts";
import { authenticate, KEYS, type Person } from "../sample-server.test.data.ts";

const PAUSE_MS = 60_000;

async function openQuarantined() {
  const clock = manualClock();
  const stores = memoryStores(clock);
  let acted = 0;
  const tool = defineTool({
    ...{ id: "burn", version: "1.0.0", effect: "idempotent", build: "1" },
    ...{ input: jsonSchema<object>(true), output: jsonSchema<object>(true) },
    policy: { timeoutMs: 3_600_000 },
    // It never answers: the worker is lost.
    run: () => {
      acted += 1;
      return new Promise<object>(() => {});
    },
  });
  const parts = { loops: [tool], stores, clock, ids: seededIds("burn") };
  const signer = await createMemorySigner();
  const host = createLocalHost({ ...parts, signer });
  const grant = { grantor: "op", tools: ["local.burn"], budget: {} };
  const run = await host.start(tool, {}, { key: "r", grant, by: "ada" });
  const ports = bindHost({ ...parts, signer });
  const lose = async (): Promise<void> => {
    for (let look = 0; look < 10; look++) {
      const before = acted;
      const looked = advance(run, ports, { quarantines: true });
      for (let tick = 0; acted === before && tick < 1_000; tick++) await Promise.resolve();
      if (acted === before) await looked;
      clock.advance(PAUSE_MS);
      if (findQuarantined(await host.show(run)) !== undefined) return;
    }
  };
  await lose();
  const server = createServer({
    tenants: (tenant) => (tenant === "alpha" ? { ...host, stores } : undefined),
    ...{ agents: {}, authenticate },
  });
  const retry = async (person: Person) => {
    const response = await server.fetch(
      new Request(`http://x/v1/runs/${run}/retry`, {
        ...{ method: "POST", body: "{}" },
        headers: { authorization: `Bearer ${KEYS[person]}`, "content-type": "application/json" },
      }),
    );
    return { status: response.status, text: await response.text() };
  };
  return { run, host, stores, retry };
}

test.each(["ada", "bob"] as const)("%s, who started it or not, is told who can", async (person) => {
  const { run, host, stores, retry } = await openQuarantined();
  expect(findQuarantined(await host.show(run))).toMatchObject({ name: "local.burn" });
  const { status, text } = await retry(person);
  expect(status).toBe(403);
  expect(JSON.parse(text).error).toMatchObject({
    code: "ROLE_MISSING",
    message: expect.stringMatching(/quarantined.*role operator/),
  });
  expect(await stores.inbox.peek(run)).toEqual([]);
});

test("an operator lifts it", async () => {
  const { run, stores, retry } = await openQuarantined();
  expect((await retry("olga")).status).toBe(202);
  expect(await stores.inbox.peek(run, "retry")).toMatchObject([{ body: { by: "olga", turn: 1 } }]);
});
