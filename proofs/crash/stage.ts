/**
 * Where trials take place: the outside world, one file for all runs, and a person who knows only
 * what is outside.
 */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { createRunClient, type RunClient } from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import type { Effect } from "@turnseal/protocol";
import { type Manners, type OutsideWorld, startOutsideWorld } from "./outside-world.ts";
import { createPaymentLoops, orderName, paymentLoop } from "./payment-loops.ts";

/** Turns of each run, and so orders. */
export const TURNS = 2;

export interface Stage {
  /** What workers run. */
  readonly program: string;
  readonly file: string;
  readonly world: OutsideWorld;
  readonly stores: Stores;
  readonly host: RunClient;
  close(): void;
}

const SOURCE = fileURLToPath(new URL("worker.ts", import.meta.url));

/** Workers run their source, unless there is a file with all of it. */
export async function openStage(program: string = SOURCE): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "turnseal-crash-"));
  const file = join(folder, "runs.db");
  const world = await startOutsideWorld();
  const stores = sqliteStores({ file });
  // It starts runs and passes on what the person says. It never advances one, so it needs no tool.
  const loops = createPaymentLoops("once", async () => ({}));
  return {
    program,
    file,
    world,
    stores,
    host: createRunClient({ loops, stores }),
    close: () => {
      stores.close();
      world.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A run that pays two orders. */
export interface PaymentRun {
  readonly run: string;
  readonly label: string;
  readonly effect: Effect;
  readonly manners: Manners;
}

let started = 0;

/** Starts a run whose payments are answered in that manner. */
export async function startPaymentRun(
  stage: Stage,
  { effect, manners }: Pick<PaymentRun, "effect" | "manners">,
): Promise<PaymentRun> {
  started += 1;
  const label = `${effect} ${manners} ${started}`;
  for (let order = 0; order < TURNS; order++)
    stage.world.behave(orderName({ label, order }), manners);
  return { run: await sendStart(stage, label), label, effect, manners };
}

/** Sends the message that starts the run of that label; the same message again starts nothing. */
export function sendStart({ host }: Stage, label: string): Promise<string> {
  return host.start(
    paymentLoop,
    { label, order: 0 },
    {
      key: label,
      grant: { grantor: "crash", tools: ["local.look", "local.pay"], budget: { modelCalls: 64 } },
      bounds: {
        turnsMax: TURNS,
        nextInput: { label: "$.input.label", order: "$.turn" },
        goal: { path: "$.output.order", equals: TURNS - 1 },
      },
    },
  );
}

/** The person looks into the ledger and says of every unknown payment whether it happened. */
export async function answerUnknowns({ host, world }: Stage, run: string): Promise<number> {
  const open = (await host.show(run))?.openTurn?.open ?? [];
  const unknown = open.filter(({ isUnknown }) => isUnknown);
  for (const { key } of unknown) {
    const answer = world.ledger.hasPaid(key)
      ? ({ resolution: "happened", result: { isPaid: true } } as const)
      : ({ resolution: "retry" } as const);
    await host.resolve(run, { key, ...answer, by: { id: "person", roles: [] } });
  }
  return unknown.length;
}
