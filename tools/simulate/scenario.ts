/** Draws what one seed simulates: the run, its bounds, and how unkind the world is. */
import { pinReferences } from "@turnseal/kernel";
import type { Amounts, PriceTable, RunSpec } from "@turnseal/protocol";
import { ROOTS, registries, TOOLS } from "./loops.ts";
import type { Random } from "./random.ts";

export interface Scenario {
  readonly spec: RunSpec;
  readonly workers: number;
  /** How many steps of the simulation may bring faults; after them the world is kind. */
  readonly faultSteps: number;
  /** How many crashes and the like to expect: one in so many steps. */
  readonly unkindness: number;
  /** Faults of the whole seed. */
  readonly codeChanges: boolean;
  readonly snapshotRunsAhead: boolean;
  readonly receiptIsLost: boolean;
  readonly isCancelled: boolean;
  /** The same claim is lost again and again. */
  readonly isCursed: boolean;
}

const prices: PriceTable = {
  asOf: "2026-01-01",
  models: {
    "scripted/scripted": { inputMicrosPerMillion: 500_000, outputMicrosPerMillion: 900_000 },
  },
};

export const PRICES = prices;

export function drawScenario(random: Random, nowMs: number): Scenario {
  const isCursed = random.chance(0.03);
  return {
    spec: drawSpec(random, nowMs, isCursed),
    workers: random.pick([1, 2, 2, 2, 3, 3]),
    faultSteps: random.between(80, 400),
    unkindness: random.pick([0.004, 0.01, 0.03, 0.08]),
    codeChanges: random.chance(0.04),
    snapshotRunsAhead: random.chance(0.03),
    receiptIsLost: random.chance(0.03),
    isCancelled: random.chance(0.08),
    isCursed,
  };
}

function drawSpec(random: Random, nowMs: number, isCursed: boolean): RunSpec {
  const loop = random.pick(ROOTS);
  const root = registries.deployed.resolve(loop);
  if (root === undefined) throw new Error(`loop ${loop} is not registered`);
  const pinned = pinReferences(registries.deployed, root);
  const tools = Object.keys(TOOLS).map((id) => `local.${id}`);
  const isSoon = random.chance(0.04);
  return {
    loop,
    version: "1.0.0",
    pinned,
    grant: {
      grantor: "simulation",
      tools: random.chance(0.05) ? tools.filter(() => random.chance(0.6)) : tools,
      budget: drawBudget(random),
      ...(random.chance(0.03) ? { expiresAt: after(nowMs, random.between(1, 60_000)) } : {}),
    },
    policy: {
      turnsMax: random.between(7, 18),
      failuresMax: random.pick([1, 4, 6, 8, 8]),
      resumesMax: isCursed ? 2 : random.between(6, 20),
      ...(isSoon ? { deadlineAt: after(nowMs, random.between(1, 90_000)) } : {}),
      goal: { path: "$.output.score", atLeast: random.between(93, 99) },
      ...(random.chance(0.5)
        ? { nextInput: { order: "$.input.order", note: "$.signals.note" } }
        : {}),
    },
  };
}

function drawBudget(random: Random): Amounts {
  switch (random.below(24)) {
    case 0:
      return { modelCalls: random.between(2, 20) };
    case 1:
      return { toolCalls: random.between(0, 12), effects: random.between(0, 8) };
    case 2:
      return { inputTokens: random.between(500, 40_000), outputTokens: random.between(50, 2_000) };
    case 3:
      return { moneyMicros: random.between(200, 20_000) };
    case 4:
      return { activeMs: random.between(1_000, 300_000) };
    case 5:
      return { rounds: random.between(2, 20) };
    case 6:
      return { turns: random.between(1, 8) };
    default:
      return { modelCalls: 500, toolCalls: 500, moneyMicros: 900_000_000, effects: 400 };
  }
}

function after(nowMs: number, delayMs: number): string {
  return new Date(nowMs + delayMs).toISOString();
}
