// Every run of a store that goes on while it is read.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalHost } from "@turnseal/host";
import { manualClock, memoryStores, type Stores, seededIds } from "@turnseal/ports";
import { isClaimOf, type JsonValue } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import type { PublicKey } from "@turnseal/protocol/receipts";
import { expect, onTestFinished, test } from "vitest";
import { openSigner, readPublicKeys } from "../folder/open-keys.ts";
import { LOOKS_MAX, verifyStore } from "./verify-store.ts";

const anything = jsonSchema<JsonValue>(true);
const slice = { tools: ["local.pay"], budget: { toolCalls: 4, turns: 2, handoffs: 0 } };

interface Told {
  readonly stores: Stores;
  readonly child: string;
  readonly keys: readonly PublicKey[];
}

/** A run that handed to another, both at their end; and the other one's id. */
async function handOff(): Promise<Told> {
  const tool = (id: string, implementation: string, config = {}) =>
    defineTool({
      ...{ id, version: "1.0.0", implementation, config, build: "test" },
      ...{ input: anything, output: anything },
      run: () => ({ done: true }),
    });
  const delegate = tool("delegate", "turnseal.handoff", { loop: "worker", grant: slice });
  const loops = [delegate, tool("worker", "local.pay")];
  const path = await mkdtemp(join(tmpdir(), "turnseal-verify-"));
  onTestFinished(() => rm(path, { recursive: true }));
  const signer = await openSigner(path, {});
  // After the key was made, since it signs for no time before.
  const clock = manualClock(Date.now());
  const stores = memoryStores(clock);
  const host = createLocalHost({ loops, stores, signer, clock, ids: seededIds("v") });
  const budget = { toolCalls: 20, turns: 20, handoffs: 5 };
  const grant = { grantor: "ada", tools: slice.tools, handoffs: ["worker"], budget };
  const run = await host.start(delegate, {}, { grant });
  await host.drive(run);
  const claim = (await stores.log.read(run, 1)).find((event) => isClaimOf("handoff", event));
  return { stores, child: claim?.content.child ?? "", keys: await readPublicKeys(path) };
}

/** The store as it is seen by whoever reads the child before its end, in so many looks. */
function readEarly({ stores, child }: Told, looks: number) {
  let seen = 0;
  const { log, receipts } = stores;
  const early: Stores = {
    ...stores,
    log: {
      ...log,
      read: async (run, ...rest) =>
        (await log.read(run, ...rest)).filter(
          ({ sequence }) => run !== child || seen >= looks || sequence < 3,
        ),
    },
    receipts: {
      ...receipts,
      list: async (run, from) => {
        if (run !== child) return receipts.list(run, from);
        if (seen >= looks) return receipts.list(run, from);
        seen++;
        return [];
      },
    },
  };
  return { path: "/nowhere", stores: { ...early, close: () => {} } };
}

test("a run that was read before another went on is read again, and nothing is wrong", async () => {
  const told = await handOff();
  for (const looks of [0, 1])
    expect(await verifyStore(readEarly(told, looks), { keys: told.keys })).toMatchObject({
      ...{ verdict: "valid", set: { findings: [] } },
    });
});

test("what is missing in every look is missing", async () => {
  const told = await handOff();
  const verdict = await verifyStore(readEarly(told, LOOKS_MAX), { keys: told.keys });
  expect(verdict.verdict).toBe("invalid");
  expect(verdict.set.findings.map(({ code }) => code)).toContain("SET_MISSING");
});
