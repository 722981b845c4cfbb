/**
 * Runs at once on a memory store, with a bill of what they truly cost, and workers that die at
 * given boundaries.
 */
import { type Advanced, advance, createRunClient, type RunClient } from "@turnseal/host";
import { type BoundTools, bindLoops } from "@turnseal/kernel";
import {
  type ManualClock,
  ModelError,
  manualClock,
  memoryStores,
  randomIds,
  type Stores,
} from "@turnseal/ports";
import {
  type Amounts,
  addAmounts,
  type Effect,
  invariant,
  type PriceTable,
  priceTokens,
  type StopReason,
} from "@turnseal/protocol";
import { ToolError } from "@turnseal/protocol/authoring";
import { crashSigner } from "../kit/crash-key.ts";
import {
  type OnCrossing,
  watchLoop,
  watchModel,
  watchSigner,
  watchStores,
} from "../kit/crossings.ts";
import { createLedger, type Ledger, type Payment, QUESTION_TOKENS } from "./ledger.ts";
import type { Post } from "./pay-tool.ts";
import { createPaymentLoops, createPaymentModel, paymentLoop } from "./payment-loops.ts";

export interface BudgetScene {
  readonly effect: Effect;
  readonly cap: Amounts;
  readonly runs: number;
  /** Boundaries, counted over all runs, at which the worker that crosses one dies. */
  readonly deaths: readonly number[];
  /** Requests to the outside, counted over all runs, that fail. */
  readonly failures: readonly number[];
}

export interface EndedRun {
  readonly stores: Stores;
  readonly run: string;
  readonly bill: Amounts;
  readonly stopped: StopReason | null;
}

/** Called whenever the bill or the log of a run has changed. */
export type CheckBill = (stores: Stores, run: string, bill: Amounts) => Promise<void>;

const TURNS = 2;
const JOBS_MAX = 60;
const TICK_MS = 250;
const price = "outside/outside";
const prices: PriceTable = {
  asOf: "2026-01-01",
  models: { [price]: { inputMicrosPerMillion: 300_000, outputMicrosPerMillion: 900_000 } },
};
const questionMicros = priceTokens(prices, price, QUESTION_TOKENS) ?? 0;

/** Everything that the runs of a scene share. */
interface Theatre extends BudgetScene {
  readonly clock: ManualClock;
  readonly stores: Stores;
  readonly host: RunClient;
  readonly ledger: Ledger;
  readonly check: CheckBill;
  /** What a check found. An error inside an act would look like a failure of the act. */
  readonly faults: unknown[];
  readonly count: { crossings: number; requests: number };
}

/** Plays a scene to the end of all its runs; throws what the check threw. */
export async function playScene(scene: BudgetScene, check: CheckBill): Promise<EndedRun[]> {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const loops = createPaymentLoops(scene.effect, async () => ({}));
  const theatre: Theatre = {
    ...scene,
    clock,
    stores,
    host: createRunClient({ loops, stores, clock, prices }),
    ledger: createLedger(),
    check,
    faults: [],
    count: { crossings: 0, requests: 0 },
  };
  const labels = Array.from({ length: scene.runs }, (_, index) => `run ${index}`);
  const ended = await passTime(clock, Promise.all(labels.map((label) => playRun(theatre, label))));
  if (theatre.faults.length > 0) throw theatre.faults[0];
  return ended;
}

/** Moves the clock whenever everybody waits for it. */
async function passTime<Value>(clock: ManualClock, waited: Promise<Value>): Promise<Value> {
  let isOver = false;
  const over = waited.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resume) => setImmediate(resume));
    if (!isOver) clock.advance(TICK_MS);
  }
  return over;
}

/** One run, with its bill. */
interface Act extends Theatre {
  readonly run: string;
  readonly bill: () => Amounts;
  readonly charge: (amounts: Amounts) => Promise<void>;
}

async function playRun(theatre: Theatre, label: string): Promise<EndedRun> {
  const { host, stores, cap, clock, faults, check } = theatre;
  const run = await host.start(
    paymentLoop,
    { label, order: 0 },
    {
      key: label,
      grant: { grantor: "test", tools: ["local.look", "local.pay"], budget: cap },
      bounds: { turnsMax: TURNS, nextInput: { label: "$.input.label", order: "$.turn" } },
    },
  );
  let bill: Amounts = {};
  const act: Act = {
    ...theatre,
    run,
    bill: () => bill,
    charge: async (amounts) => {
      bill = addAmounts(bill, amounts);
      await check(stores, run, bill).catch((fault: unknown) => faults.push(fault));
    },
  };
  for (let job = 0; job < JOBS_MAX; job++) {
    const advanced = await runJob(act);
    if (advanced === "dead") continue;
    const { dues } = advanced;
    if (dues.kind === "done") break;
    if (dues.kind === "wait") await answerUnknowns(act);
    if (dues.kind === "wake")
      await new Promise<void>((resume) => clock.after(dues.atMs - clock.now(), resume));
  }
  return { stores, run, bill, stopped: (await host.show(run))?.stopped ?? null };
}

/** One worker advances the run, unless it dies on the way. */
async function runJob(act: Act): Promise<Advanced | "dead"> {
  const { stores, run, clock, host, effect, deaths, count } = act;
  let die = (): void => {};
  let isDead = false;
  const died = new Promise<"dead">((resolve) => {
    die = () => resolve("dead");
  });
  const onCrossing: OnCrossing = async (place) => {
    count.crossings += 1;
    if (deaths.includes(count.crossings)) isDead = true;
    if (isDead) {
      die();
      await new Promise<never>(() => {});
    }
    if (place === "after append") await act.charge({});
  };
  const post = createPost(act);
  const loops = createPaymentLoops(effect, post).map((loop) => watchLoop(loop, onCrossing));
  const advancing = advance(run, {
    stores: watchStores(stores, onCrossing),
    clock,
    ids: randomIds,
    signer: watchSigner(crashSigner, onCrossing),
    registry: host.registry,
    models: new Map([["outside", watchModel(createPaymentModel(post), onCrossing)]]),
    tools: bindAll(loops),
    prices,
  });
  return Promise.race([advancing, died]);
}

function bindAll(loops: Parameters<typeof bindLoops>[0]): BoundTools {
  const binding = bindLoops(loops);
  invariant(binding.kind === "bound", "every function has a name of its own");
  return binding.tools;
}

/** The outside: what it does is charged when it is done. */
function createPost({ ledger, failures, count, charge }: Act): Post {
  return async (path, body) => {
    count.requests += 1;
    const isFailing = failures.includes(count.requests);
    switch (path) {
      case "/ask":
        // A request that was not processed is on no bill.
        if (isFailing)
          throw new ModelError({ code: "MODEL_UNREACHABLE", retry: "retry", message: "no route" });
        await charge({ modelCalls: 1 });
        await charge({ ...QUESTION_TOKENS, moneyMicros: questionMicros });
        return {};
      case "/pay": {
        if (isFailing) throw new ToolError("TOOL_UNAVAILABLE", "closed for today");
        const answer = ledger.pay(body as unknown as Payment);
        if (answer === "paid") await charge({ effects: 1 });
        return { answer };
      }
      default:
        return { ...ledger.reconcile(String(body["key"]), Number(body["epoch"])) };
    }
  };
}

async function answerUnknowns({ host, run, ledger }: Act): Promise<void> {
  const open = (await host.show(run))?.openTurn?.open ?? [];
  for (const { key, isUnknown } of open) {
    if (!isUnknown) continue;
    const answer = ledger.hasPaid(key)
      ? ({ resolution: "happened", result: { isPaid: true } } as const)
      : ({ resolution: "retry" } as const);
    await host.resolve(run, { key, ...answer, by: { id: "person", roles: [] } });
  }
}
