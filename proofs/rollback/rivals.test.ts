/**
 * Rollbacks of one family, started by two hosts on one file at the same moment, after both have
 * read it: the rest of the budget is spent once, in any order of their steps.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import type { LoopDef } from "@turnseal/protocol";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { afterAll, expect, test } from "vitest";
import { crashSigner } from "../kit/crash-key.ts";

const CENTS = 30;
const ROUNDS = 8;
const folder = mkdtempSync(join(tmpdir(), "turnseal-rivals-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Given {
  readonly at: string;
}

const work = defineTool({
  ...{ id: "work", version: "1.0.0", effect: "idempotent", build: "test" },
  input: jsonSchema<Given>({ type: "object" }),
  output: jsonSchema<Given>({ type: "object" }),
  run: ({ at }) => ({ at }),
  compensate: {
    ...{ effect: "idempotent", build: "test", run: () => {} },
    needs: () => ({ amounts: { "shop.cents": 20 } }),
  },
});
const slice = { toolCalls: 2, effects: 1, turns: 1, handoffs: 0, "shop.cents": 25 };
const hand: Loop<Given, unknown> = {
  definition: {
    ...{ id: "hand", name: "hand", version: "1.0.0", kind: "tool" },
    ...{ inputSchema: true, outputSchema: true },
    tool: {
      implementation: "turnseal.handoff",
      config: { loop: "work", grant: { tools: ["local.work"], budget: slice } },
    },
  },
};
const definition: LoopDef = {
  ...{ id: "both", name: "both", version: "1.0.0", kind: "composite" },
  ...{ inputSchema: { type: "object" }, outputSchema: true },
  composite: {
    flow: {
      kind: "sequence",
      nodes: ["one", "two"].map((at) => ({
        ...{ kind: "call" as const, loopId: "hand", inputMapping: { at: `$.input.${at}` } },
      })),
    },
  },
};
const both: Loop<never, unknown> = { definition };

/** A host on the file; it starts a run only when `wait` is over. */
function openHost(file: string, wait: () => Promise<void> = async () => {}) {
  const stores = sqliteStores({ file });
  const meeting: Stores = {
    ...stores,
    inbox: {
      has: stores.inbox.has.bind(stores.inbox),
      peek: stores.inbox.peek.bind(stores.inbox),
      listTold: stores.inbox.listTold.bind(stores.inbox),
      put: async (message) => {
        if (message.kind === "start") await wait();
        return stores.inbox.put(message);
      },
    },
  };
  const loops = [work, hand, both];
  return { host: createLocalHost({ loops, stores: meeting, signer: crashSigner }), stores };
}

/** Resolves for all who wait once so many do. */
function meet(count: number): () => Promise<void> {
  const met = Promise.withResolvers<void>();
  let here = 0;
  return () => {
    here += 1;
    if (here >= count) met.resolve();
    return met.promise;
  };
}

/** A run that did two things, each by a run of its own; and those runs. */
async function workAll(file: string): Promise<readonly string[]> {
  const { host, stores } = openHost(file);
  const budget = { toolCalls: 90, effects: 90, turns: 20, handoffs: 20, "shop.cents": CENTS };
  const tools = ["local.work", "turnseal.handoff"];
  const run = await host.start(both, { one: "1", two: "2" } as never, {
    ...{ by: "ada", bounds: { turnsMax: 1 } },
    grant: { grantor: "ada", tools, handoffs: ["work"], budget },
  });
  const ended = await host.drive(run);
  expect(ended).toMatchObject({ projection: { stopped: "goal-reached" } });
  const runs = [run];
  for await (const { type, content } of host.events(run))
    if (type === "action.claimed" && content.action === "handoff") runs.push(content.child);
  stores.close();
  return runs;
}

async function carryOut(host: LocalHost, rollback: string): Promise<void> {
  await host.drive(rollback);
  const [request] = await host.requests(rollback);
  if (request === undefined) return;
  await host.decide(rollback, request.id, { choice: "approve", by: { id: "bea", roles: [] } });
  await host.drive(rollback);
}

const rounds = Array.from({ length: ROUNDS }, (_, at) => at);

test.each(rounds)("what is left is spent once by two hosts on one file (%s)", async (round) => {
  const file = join(folder, `runs-${round}.db`);
  const [run = "", one = "", two = ""] = await workAll(file);
  const wait = meet(2);
  const opened = [openHost(file, wait), openHost(file, wait)];
  const asked = round % 2 === 0 ? [one, two] : [one, run];
  const rollbacks = await Promise.all(
    opened.map(async ({ host }, at) => {
      const answer = await host.rollback(asked[at] ?? "", { by: "bea" });
      return answer.kind === "proposed" ? answer.run : expect.fail(JSON.stringify(answer));
    }),
  );
  await Promise.all(opened.map(({ host }, at) => carryOut(host, rollbacks[at] ?? "")));
  let spent = 0;
  for (const rollback of rollbacks) {
    const { spending } = (await opened[0]?.host.show(rollback)) ?? {};
    spent += spending?.settled["shop.cents"] ?? 0;
  }
  expect(spent).toBeLessThanOrEqual(CENTS);
  for (const { stores } of opened) stores.close();
});
