/**
 * Fifty approvals that wait in ten runs on one file, decided in random order by two hosts that were
 * started since. Both carry the same run at the same time, so that one of them is always late.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import type { Model } from "@turnseal/ports";
import { canonicalize, type JsonValue, type LoopEvent, type Policy } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { verifyRun } from "@turnseal/protocol/receipts";
import { afterAll, expect, test } from "vitest";
import { crashPublicKey, crashSigner } from "../kit/crash-key.ts";
import { createRandom } from "../kit/random-source.ts";

const RUNS = 10;
const EACH = 5;
const folder = mkdtempSync(join(tmpdir(), "turnseal-pending-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Refund {
  readonly order: string;
}

/** Effects outside: a key acts once, as with an idempotent tool. */
const done = new Map<string, string>();

const refund = defineTool({
  ...{ id: "refund", version: "1.0.0", effect: "idempotent", build: "test" },
  input: jsonSchema<Refund>({ type: "object", required: ["order"] }),
  output: jsonSchema<JsonValue>(true),
  run: ({ order }, { key }) => {
    done.set(key, order);
    return { order };
  },
});
const desk = definePrompt({
  ...{ id: "desk", version: "1.0.0", tools: [refund], template: "{{run}}" },
  input: jsonSchema<{ readonly run: string }>({ type: "object" }),
  output: jsonSchema<JsonValue>(true),
});
const policy: Policy = {
  name: "refunds",
  rules: [{ id: "all", decision: "ask", role: "finance", onReject: "tell" }],
};

/** Calls five refunds of its run at once, and answers once it has their results. */
const model: Model = {
  defaultModel: "scripted",
  generate: async ({ messages }) => {
    const isTold = messages.some(({ role }) => role === "tool");
    const run = JSON.stringify(messages).match(/run-\d+/)?.[0];
    const calls = Array.from({ length: EACH }, (_, index) => ({
      ...{ kind: "tool-call" as const, toolCallId: `call-${index}`, toolName: "local__refund" },
      input: JSON.stringify({ order: `${run}/${index}` }),
    }));
    return {
      content: isTold ? [{ kind: "text", text: '{"done":true}' }] : calls,
      finishReason: isTold ? "stop" : "tool-calls",
      usage: { inputTokens: 1, outputTokens: 1 },
    };
  },
};

function openHost(file: string) {
  const stores = sqliteStores({ file });
  const loops = [refund, desk];
  const host = createLocalHost({ loops, stores, signer: crashSigner, models: { scripted: model } });
  return { host, stores };
}

/** Advances as far as it goes; a second worker is fenced, and reports so. */
async function advance(host: LocalHost, run: string): Promise<string> {
  try {
    const advanced = await host.advance(run);
    return "projection" in advanced ? String(advanced.projection.stopped) : "blocked";
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === "LOG_FENCED" || code === "LOG_CONFLICT") return "late";
    throw error;
  }
}

async function startAll(file: string): Promise<string[]> {
  const { host, stores } = openHost(file);
  const runs: string[] = [];
  for (let index = 0; index < RUNS; index++) {
    const grant = { grantor: "ada", tools: ["local.refund"], budget: { effects: EACH } };
    const run = await host.start(desk, { run: `run-${index}` }, { grant, policy });
    await host.advance(run);
    runs.push(run);
  }
  stores.close();
  return runs;
}

test.each([1, 2, 3])(
  "fifty are decided in random order after a restart, and each is done once or not at all (%s)",
  async (seed) => {
    done.clear();
    const random = createRandom(seed);
    const file = join(folder, `runs-${seed}.db`);
    const runs = await startAll(file);
    expect(done.size).toBe(0);
    const hosts = [openHost(file), openHost(file)] as const;
    const waiting = (await Promise.all(runs.map((run) => hosts[0].host.requests(run)))).flat();
    expect(waiting).toHaveLength(RUNS * EACH);

    const approved: string[] = [];
    const ends: string[] = [];
    while (waiting.length > 0) {
      const [request] = waiting.splice(random.below(waiting.length), 1);
      if (request === undefined) continue;
      const { run, id } = request;
      const choice = random.below(10) < 7 ? "approve" : "reject";
      if (choice === "approve") approved.push((request.request as unknown as Refund).order);
      const by = { id: `person-${random.below(4)}`, roles: ["finance"] };
      const { host } = hosts[random.below(2) === 0 ? 0 : 1];
      expect(await host.decide(run, id, { choice, by })).toEqual({ kind: "stored" });
      ends.push(...(await Promise.all(hosts.map((each) => advance(each.host, run)))));
    }
    // Both took part, and were in each other's way, or the test has not tried anything.
    expect(ends).toContain("late");
    for (const run of runs) expect(await advance(hosts[0].host, run)).toBe("goal-reached");
    expect([...done.values()].sort()).toEqual(approved.sort());
    for (const run of runs) await expectSound(run, hosts[1].stores);
    for (const { stores } of hosts) stores.close();
  },
);

async function expectSound(run: string, { log, receipts }: ReturnType<typeof openHost>["stores"]) {
  const events: readonly LoopEvent[] = await log.read(run, 1);
  const sealed = (await receipts.list(run, 1)).map(({ envelope }) => canonicalize(envelope));
  const verdict = await verifyRun({ run, events, receipts: sealed }, { keys: [crashPublicKey] });
  expect(verdict.findings).toEqual([]);
  expect(verdict.receipts).toBe(1);
}
