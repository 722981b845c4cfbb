/** Compares what a run says of itself with what truly happened. */
import { collectEvents } from "@turnseal/host";
import {
  canonicalize,
  committed,
  isClaimOf,
  isSettledOf,
  type LoopEvent,
} from "@turnseal/protocol";
import { verifyRun } from "@turnseal/protocol/receipts";
import { crashPublicKey } from "../kit/crash-key.ts";
import { type Ledger, QUESTION_TOKENS } from "./ledger.ts";
import { orderName } from "./payment-loops.ts";
import { type PaymentRun, type Stage, TURNS } from "./stage.ts";

export interface Judgement {
  /** Orders that were paid more than once. */
  readonly twice: number;
  /**
   * Orders about which the run is wrong: it says paid and nobody was, or somebody was and it does
   * not say so.
   */
  readonly lost: number;
  /** Requests to the provider beyond the claims, and claims after a settled one of the same key. */
  readonly repeated: number;
  readonly invalid: number;
  /** 1 when the invoice is higher than what the run counts as spent. */
  readonly underestimated: number;
  readonly findings: readonly string[];
}

export async function judgeRun(stage: Stage, payment: PaymentRun): Promise<Judgement> {
  const { run } = payment;
  const events = await collectEvents(stage.stores.log, run, 1);
  const { ledger } = stage.world;
  const orders = Array.from({ length: TURNS }, (_, index) =>
    judgeOrder(events, index + 1, payment, ledger),
  );
  const receipts = await stage.stores.receipts.list(run, 1);
  const verdict = await verifyRun(
    { run, events, receipts: receipts.map(({ envelope }) => canonicalize(envelope)) },
    { keys: [crashPublicKey] },
  );
  const closed = events.filter(({ type }) => type === "turn.closed").length;
  const isSealed = verdict.valid && receipts.length === closed;
  const sum = (field: "twice" | "lost" | "repeated" | "questions"): number =>
    orders.reduce((total, order) => total + order[field], 0);
  const projection = await stage.host.show(run);
  const counted = projection === undefined ? {} : committed(projection.spending);
  const invoice = sum("questions") * QUESTION_TOKENS.inputTokens;
  return {
    twice: sum("twice"),
    lost: sum("lost"),
    repeated: sum("repeated"),
    invalid: isSealed ? 0 : 1,
    underestimated: invoice > (counted.inputTokens ?? 0) ? 1 : 0,
    findings: verdict.findings.map(
      ({ code, message, sequence }) => `${sequence} ${code} ${message}`,
    ),
  };
}

interface OrderJudgement {
  readonly twice: number;
  readonly lost: number;
  readonly repeated: number;
  readonly questions: number;
}

function judgeOrder(
  events: readonly LoopEvent[],
  turn: number,
  { label, effect }: PaymentRun,
  ledger: Ledger,
): OrderJudgement {
  const own = events.filter((event) => event.turn === turn);
  const order = orderName({ label, order: turn - 1 });
  const paid = ledger.paymentsOf(order);
  const said = describePayment(own);
  const isWrong = (said === "paid" && paid === 0) || (said === "not paid" && paid > 0);
  const questions = ledger.questionsOf(order);
  return {
    twice: paid > 1 ? 1 : 0,
    lost: effect !== "read" && isWrong ? 1 : 0,
    repeated: countRepeated(own, questions),
    questions: [...questions.values()].reduce((total, count) => total + count, 0),
  };
}

/** What the log says of the payment of a turn: an open claim says that nobody knows. */
function describePayment(events: readonly LoopEvent[]): "paid" | "not paid" | "unknown" {
  const claims = events.filter(
    (event) => isClaimOf("tool", event) && event.content.tool === "local.pay",
  );
  const states = claims.map(({ sequence }) => {
    const end = events
      .filter((event) => event.type === "action.settled" || event.type === "action.resolved")
      .find(({ content }) => content.claim === sequence);
    if (end === undefined) return "unknown";
    const said = end.type === "action.settled" ? end.content.status : end.content.resolution;
    if (said === "ok" || said === "happened") return "paid";
    return said === "abandon" ? "unknown" : "not paid";
  });
  if (states.includes("paid")) return "paid";
  return states.at(-1) === "unknown" ? "unknown" : "not paid";
}

function countRepeated(
  events: readonly LoopEvent[],
  questions: ReadonlyMap<number, number>,
): number {
  const claims = new Map<string, number>();
  const settled = new Set<string>();
  let repeated = 0;
  for (const event of events) {
    if (isClaimOf("model", event)) {
      const { key } = event.content;
      claims.set(key, (claims.get(key) ?? 0) + 1);
      if (settled.has(key)) repeated += 1;
    }
    if (isSettledOf("model", event)) settled.add(event.content.key);
  }
  // Keys stand in the order of the rounds that they ask about.
  [...claims.values()].forEach((count, round) => {
    repeated += Math.max(0, (questions.get(round) ?? 0) - count);
  });
  const rounds = [...questions.keys()].filter((round) => round >= claims.size);
  return repeated + rounds.length;
}
