/** Draws what one seed simulates: the run, its bounds, and how unkind the world is. */
import { pinReferences } from "@turnseal/kernel";
import {
  type Amounts,
  digestPolicy,
  type Grant,
  type GuidanceDocument,
  type JsonObject,
  type PriceTable,
  pinGuidance,
  type RunBounds,
  type RunSpec,
  type Term,
} from "@turnseal/protocol";
import { CANARY, CLAIMS } from "./canary.ts";
import { drawLie, type Lie } from "./hostile-host.ts";
import { ACTS, LEDGER_TERM, LEVELS, ROOTS, registries, SLICES, TALKER, TOOLS } from "./loops.ts";
import type { Random } from "./random.ts";
import { drawPolicy, type SimulatedPolicy } from "./rules.ts";

export interface Scenario {
  readonly spec: RunSpec;
  /** The body of its start, beside its specification. */
  readonly body: JsonObject;
  /** Who started it; undefined when nobody says so. */
  readonly starter: string | undefined;
  /** The rules that the run, and every run below it, is judged by. */
  readonly rules: SimulatedPolicy | undefined;
  /** The tools for a step of the loop `loaned`. */
  readonly allowed: readonly string[];
  /** How often a model that asks for a tool asks for a handoff. */
  readonly eagerness: number;
  /** How often it asks for several gifts at once. */
  readonly generosity: number;
  readonly workers: number;
  /** How many steps of the simulation may bring faults; after them the world is kind. */
  readonly faultSteps: number;
  /** How many crashes and the like to expect: one in so many steps. */
  readonly unkindness: number;
  /** Faults of the whole seed. */
  readonly codeChanges: boolean;
  /** How often a worker is deployed without something that its runs need. */
  readonly shortage: number;
  /** How long each signing key signs; undefined for one key without end. */
  readonly keyPeriodMs: number | undefined;
  readonly snapshotRunsAhead: boolean;
  readonly receiptIsLost: boolean;
  readonly isCancelled: boolean;
  /** The lie of the host about runs that the first one starts. */
  readonly lie: Lie | undefined;
  /** How often models, tools and people say what is hard to keep. */
  readonly weirdness: number;
  /** When a cancel is most likely: while a worker looks for one, waits, or has handed on. */
  readonly cancelWhile: "looking" | "waiting" | "handed";
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

export function drawScenario(random: Random, nowMs: number, isTalkative: boolean): Scenario {
  const isCursed = random.chance(0.02);
  const lie = drawLie(random);
  const weirdness = random.pick([0, 0, 0, 0, 0.03, 0.25]);
  const isPlain = lie !== undefined || random.chance(0.62);
  const rules = isPlain ? undefined : drawPolicy(random, "simulated");
  const guidance = random.chance(0.4) ? drawGuidance(random) : [];
  const drawn = drawSpec(random, nowMs, { isCursed, rules, guidance, lie });
  const spec = isTalkative && drawn.loop === "agent" ? letTalk(drawn) : drawn;
  const allowed = drawAllowed(random);
  const starter = random.chance(0.88) ? random.pick(["ada", "bob", "dan"]) : undefined;
  const input = { order: `order ${random.below(1_000)} ${CANARY}`, allowed: [...allowed] };
  return {
    spec,
    rules,
    allowed,
    // There is nothing to lie about where nothing is handed on.
    eagerness: lie === undefined ? random.pick([0, 0.1, 0.3, 0.6]) : 0.6,
    generosity: random.pick([0, 0.1, 0.5]),
    starter,
    body: {
      spec: spec as unknown as JsonObject,
      input,
      ...(starter === undefined ? {} : { by: starter }),
      ...(rules === undefined ? {} : { policy: rules.policy as unknown as JsonObject }),
      ...(guidance.length === 0 ? {} : { guidance: guidance.map(({ text }) => text) }),
    },
    workers: random.pick([1, 2, 2, 2, 3, 3]),
    faultSteps: random.between(80, 400),
    unkindness: random.pick([0.004, 0.01, 0.03, 0.08]),
    codeChanges: random.chance(0.06),
    shortage: random.pick([0, 0, 0, 0.1, 0.4]),
    keyPeriodMs: random.chance(0.3) ? random.between(20_000, 900_000) : undefined,
    // What is broken otherwise would be found first.
    snapshotRunsAhead: random.chance(0.03) && lie === undefined,
    receiptIsLost: random.chance(0.03) && lie === undefined,
    lie,
    isCancelled: random.chance(weirdness > 0 ? 0.2 : 0.1),
    weirdness,
    cancelWhile: random.pick(["looking", "waiting", "handed", "handed"]),
    isCursed,
  };
}

/** The same run with another root: nothing else of the seed is drawn otherwise. */
function letTalk({ bounds: { summaries: _, ...bounds }, ...spec }: RunSpec): RunSpec {
  const root = registries.deployed.resolve(TALKER);
  if (root === undefined) throw new Error("the talker is not registered");
  return {
    ...{ ...spec, loop: TALKER, pinned: pinReferences(registries.deployed, root) },
    bounds: { ...bounds, onRoundsExhausted: "continue" },
  };
}

function drawGuidance(random: Random): GuidanceDocument[] {
  return [
    { ref: "tone.md", text: `Be kind. ${CANARY}` },
    { ref: "notes/claims.txt", text: random.pick(Object.values(CLAIMS)) },
  ];
}

/**
 * The wanted tools of a step: sometimes fewer than there are, sometimes one that does not exist.
 */
function drawAllowed(random: Random): string[] {
  const some = ["look", "put", "pay"].filter(() => random.chance(0.8)).map((id) => `local.${id}`);
  return random.chance(0.06) ? [...some, "local.fly"] : some;
}

interface SpecParts {
  readonly isCursed: boolean;
  readonly rules: SimulatedPolicy | undefined;
  readonly guidance: readonly GuidanceDocument[];
  readonly lie: Lie | undefined;
}

function drawSpec(
  random: Random,
  nowMs: number,
  { isCursed, rules, guidance, lie }: SpecParts,
): RunSpec {
  // A step that is lent too little ends its run early, so the long ones are drawn more often.
  const loop =
    lie !== undefined || random.chance(0.65) ? random.pick(["agent", "chain"]) : random.pick(ROOTS);
  const root = registries.deployed.resolve(loop);
  if (root === undefined) throw new Error(`loop ${loop} is not registered`);
  const pinning = pinGuidance(guidance);
  if (pinning.kind === "refused") throw new Error("the guidance is refused");
  return {
    loop,
    version: "1.0.0",
    pinned: pinReferences(registries.deployed, root),
    grant: drawGrant(random, nowMs),
    ...(rules === undefined
      ? {}
      : { policy: { name: rules.policy.name, digest: digestPolicy(rules.policy) } }),
    ...(guidance.length === 0 ? {} : { guidance: pinning.pinned }),
    bounds: drawBounds(random, nowMs, isCursed),
  };
}

/** Caps for periods follow from the budget: nothing else of a seed is drawn otherwise. */
function capPeriods({ "payments.cents": cents = 2 }: Amounts): Pick<Grant, "perPeriod"> {
  const most = 3 + (cents % 23);
  if (cents % 5 === 4)
    return { perPeriod: { month: { [ACTS]: most, moneyMicros: 2_000_000 + cents * 100 } } };
  return cents % 5 === 2 ? { perPeriod: { hour: { [ACTS]: most } } } : {};
}

function drawGrant(random: Random, nowMs: number): Grant {
  const tools = [...Object.keys(TOOLS).map((id) => `local.${id}`), "turnseal.question"];
  const given: Grant = {
    grantor: "simulation",
    tools: random.chance(0.05) ? tools.filter(() => random.chance(0.6)) : tools,
    terms: [{ id: "ledger", ...LEDGER_TERM } as unknown as Term],
    handoffs: Object.keys(SLICES),
    ...(random.chance(0.1) ? { depth: random.below(LEVELS) } : {}),
    budget: drawBudget(random),
    ...(random.chance(0.06) ? { perCall: { "payments.cents": random.between(300, 1_000) } } : {}),
    ...(random.chance(0.03) ? { expiresAt: after(nowMs, random.between(1, 60_000)) } : {}),
  };
  return { ...given, ...capPeriods(given.budget) };
}

function drawBounds(random: Random, nowMs: number, isCursed: boolean): RunBounds {
  const isSoon = random.chance(0.04);
  return {
    turnsMax: random.between(10, 20),
    failuresMax: random.pick([1, 8, 10, 12, 12, 12, 12]),
    resumesMax: isCursed ? 2 : random.between(6, 20),
    ...(isSoon ? { deadlineAt: after(nowMs, random.between(1, 90_000)) } : {}),
    goal: { path: "$.output.score", atLeast: random.between(97, 99) },
    ...(random.chance(0.5)
      ? {
          nextInput: {
            ...{ order: "$.input.order", allowed: "$.input.allowed" },
            note: "$.signals.note",
          },
        }
      : {}),
    ...(random.chance(0.3) ? { summaries: random.between(1, 3) } : {}),
    ...(random.chance(0.15) ? drawAwaited(random) : {}),
  };
}

/** Signals that begin turns: those of people, and sometimes those of a schedule. */
function drawAwaited(random: Random): Partial<RunBounds> {
  if (random.chance(0.4)) return { awaits: ["note"] };
  const cron = random.pick(["* * * * *", "*/5 * * * *", "7,31 * * * *"]);
  const timezone = random.pick(["UTC", "Europe/Berlin", "Asia/Kolkata"]);
  return { awaits: ["note", "tick"], schedules: [{ name: "tick", cron, timezone }] };
}

function drawBudget(random: Random): Amounts {
  switch (random.below(64)) {
    case 0:
      return { modelCalls: random.between(4, 30) };
    case 1:
      return { toolCalls: random.between(0, 20), effects: random.between(0, 14) };
    case 2:
      return { inputTokens: random.between(500, 40_000), outputTokens: random.between(50, 2_000) };
    case 3:
      return { moneyMicros: random.between(200, 20_000) };
    case 4:
      return { activeMs: random.between(1_000, 300_000) };
    case 5:
      return { rounds: random.between(4, 30) };
    case 6:
      return { turns: random.between(1, 8) };
    default:
      return {
        ...{ modelCalls: 500, toolCalls: 500, moneyMicros: 900_000_000, effects: 400 },
        "payments.cents": random.between(12_000, 120_000),
      };
  }
}

function after(nowMs: number, delayMs: number): string {
  return new Date(nowMs + delayMs).toISOString();
}
