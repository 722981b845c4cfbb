/**
 * A provider that is away in the middle of runs under an engine, counted from outside. Each run
 * waits for it by itself, goes on where it was, and repeats no effect.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { aiSdkModel } from "@turnseal/adapters/models";
import { canonicalize } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { verifyRun } from "@turnseal/protocol/receipts";
import { type DurableWorld, openDurableWorld } from "../../e2e/durable-world.ts";
import { openTillServer } from "./till-server.ts";

const PAYMENTS = 3;
const END_WITHIN_MS = 300_000;

export interface OutageOptions {
  readonly runs: number;
  readonly awayMs: number;
  readonly say?: (words: string) => void;
}

export interface OutageFigures {
  readonly runs: number;
  readonly awaySeconds: number;
  /** Runs that had met the outage when the provider came back. */
  readonly met: number;
  readonly finished: number;
  readonly payments: number;
  readonly paidTwice: number;
  readonly notPaid: number;
  /** What a verifier finds wrong in all the runs. */
  readonly findings: number;
  readonly secondsAfter: number;
}

export async function runOutage({ runs, awayMs, say }: OutageOptions): Promise<OutageFigures> {
  const till = await openTillServer(PAYMENTS);
  const paid: string[] = [];
  const { loops, agent } = defineAgent(paid);
  const provider = createOpenAICompatible({ name: "till", baseURL: till.url });
  const models = { till: aiSdkModel(provider, { defaultModel: "small" }) };
  const world = await openDurableWorld({ loops, models });
  try {
    await Promise.all([world.startWorker(), world.startWorker()]);
    say?.(`${runs} runs begin`);
    const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
    const starts = Array.from({ length: runs }, () => world.host.start(agent, {}, { grant }));
    const ids = await Promise.all(starts);
    await world.until(async () => (paid.length >= runs ? true : undefined));
    await till.goAway();
    say?.(`the provider is away for ${awayMs / 1_000} s`);
    await sleep(awayMs);
    const met = await countMet(world, ids);
    await till.comeBack();
    const backAt = performance.now();
    say?.(`the provider is back; ${met} runs have met its absence`);
    const ends: string[] = [];
    for (const run of ids) ends.push(await untilStopped(world, run));
    const secondsAfter = Math.round((performance.now() - backAt) / 1_000);
    const found = await Promise.all(ids.map((run) => countFindings(world, run)));
    return {
      ...{ runs, awaySeconds: awayMs / 1_000, met, secondsAfter, payments: paid.length },
      finished: ends.filter((end) => end === "goal-reached").length,
      paidTwice: paid.length - new Set(paid).size,
      notPaid: Math.max(0, runs * PAYMENTS - new Set(paid).size),
      findings: found.reduce((sum, count) => sum + count, 0),
    };
  } finally {
    await world.close();
    await till.goAway();
  }
}

function defineAgent(paid: string[]) {
  const any = jsonSchema<object>(true);
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", input: any, output: any, effect: "once" },
    run: async (_, { key }) => {
      paid.push(key);
      await sleep(100);
      return {};
    },
  });
  const agent = definePrompt({
    ...{ id: "agent", version: "1.0.0", input: any, output: any, tools: [pay] },
    ...{ backend: { id: "till", model: "small" }, template: "Pay", maxRounds: PAYMENTS + 2 },
  });
  return { loops: [pay, agent], agent };
}

function untilStopped({ host, until }: DurableWorld, run: string): Promise<string> {
  return until(async () => (await host.show(run))?.stopped ?? undefined, END_WITHIN_MS);
}

async function countMet({ host }: DurableWorld, ids: readonly string[]): Promise<number> {
  const shown = await Promise.all(ids.map(host.show));
  return shown.filter((run) => run?.lastTurn?.outage !== undefined || (run?.outages ?? 0) > 0)
    .length;
}

async function countFindings({ signer, stores }: DurableWorld, run: string): Promise<number> {
  const key = {
    ...{ keyId: signer.keyId, x: signer.x, issuer: "development" as const },
    validFrom: "2020-01-01T00:00:00.000Z",
  };
  const events = await stores.log.read(run, 1);
  const receipts = (await stores.receipts.list(run, 1)).map(({ envelope }) =>
    canonicalize(envelope),
  );
  return (await verifyRun({ run, events, receipts }, { keys: [key] })).findings.length;
}
