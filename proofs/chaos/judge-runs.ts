/** Compares what runs say of themselves with what truly happened. */
import { collectEvents } from "@turnseal/host";
import { canonicalize, isClaimOf, type LoopEvent } from "@turnseal/protocol";
import { verifyRun } from "@turnseal/protocol/receipts";
import { crashPublicKey } from "../kit/crash-key.ts";
import { type ChaosRun, ordersOf } from "./load.ts";
import type { ChaosWorld } from "./world.ts";

export interface Judgement {
  /** Turns that were closed and sealed. */
  readonly turns: number;
  /** Orders that were paid more than once. */
  readonly twice: number;
  /** Orders about which a run is wrong, and orders that nobody got to. */
  readonly lost: number;
  /** Runs whose receipts do not verify, or lack one. */
  readonly invalid: number;
  /** Resumes of turns: how often a worker replaced another. */
  readonly resumes: number;
  /** Turns that ended otherwise than completed. */
  readonly failed: number;
  readonly findings: readonly string[];
}

export async function judgeRuns(world: ChaosWorld, runs: readonly ChaosRun[]): Promise<Judgement> {
  const sum = { turns: 0, twice: 0, lost: 0, invalid: 0, resumes: 0, failed: 0 };
  const findings: string[] = [];
  for (const each of runs) {
    const { says, ...judged } = await judgeRun(world, each);
    for (const [name, count] of Object.entries(judged)) sum[name as keyof typeof sum] += count;
    findings.push(...says.map((words) => `${each.label}: ${words}`));
  }
  return { ...sum, findings };
}

type RunJudgement = Omit<Judgement, "findings"> & { readonly says: readonly string[] };

async function judgeRun({ stores, outside }: ChaosWorld, run: ChaosRun): Promise<RunJudgement> {
  const events = await collectEvents(stores.log, run.run, 1);
  const receipts = await stores.receipts.list(run.run, 1);
  const verdict = await verifyRun(
    { run: run.run, events, receipts: receipts.map(({ envelope }) => canonicalize(envelope)) },
    { keys: [crashPublicKey] },
  );
  const closed = events.filter((event) => event.type === "turn.closed");
  const isSealed = verdict.valid && receipts.length === closed.length;
  const orders = ordersOf(run).map((order, index) => {
    const paid = outside.ledger.paymentsOf(order);
    const said = describePayment(events.filter(({ turn }) => turn === index + 1));
    return { order, paid, said, isWrong: said === "paid" ? paid === 0 : said === "not paid" };
  });
  const failed = closed.filter(({ content }) => content.outcome !== "completed");
  return {
    turns: closed.length,
    twice: orders.filter(({ paid }) => paid > 1).length,
    lost: orders.filter(({ isWrong }) => isWrong).length,
    invalid: isSealed ? 0 : 1,
    resumes: events.filter(({ type }) => type === "turn.resumed").length,
    failed: failed.length,
    says: [
      ...verdict.findings.map(({ code, message }) => `${code} ${message}`),
      ...orders
        .filter(({ paid, isWrong }) => paid > 1 || isWrong)
        .map(({ order, paid, said }) => `${order} was paid ${paid} times, and is said ${said}`),
      ...failed.map(({ turn, content }) => `turn ${turn} ended ${content.outcome}`),
    ],
  };
}

/** What the log says of the payment of a turn: an open claim says that nobody knows. */
function describePayment(events: readonly LoopEvent[]): "paid" | "not paid" | "unknown" {
  const claims = events
    .filter((event) => isClaimOf("tool", event))
    .filter(({ content }) => content.tool.startsWith("local.pay"));
  const ends = claims.map(({ sequence }) =>
    events
      .filter((event) => event.type === "action.settled" || event.type === "action.resolved")
      .find(({ content }) => content.claim === sequence),
  );
  const states = ends.map((end) =>
    end?.type === "action.settled" ? end.content.status : end?.content.resolution,
  );
  if (states.some((state) => state === "ok" || state === "happened")) return "paid";
  return claims.length > 0 && ends.at(-1) === undefined ? "unknown" : "not paid";
}
