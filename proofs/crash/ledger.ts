/**
 * The true effects, kept outside the processes that are killed: payments, and the provider's
 * invoice.
 *
 * It trusts no process. A payment counts when it is made, even if the answer is lost.
 */
import type { Effect } from "@turnseal/protocol";
import type { Reconciliation } from "@turnseal/protocol/authoring";

export interface Payment {
  /** The run's label and the number of its order: what must be paid once. */
  readonly order: string;
  readonly key: string;
  readonly epoch: number;
  readonly effect: Effect;
}

/** One request to the model: its text and its round. */
export interface Question {
  readonly text: string;
  readonly round: number;
}
export const QUESTION_TOKENS = { inputTokens: 10, outputTokens: 5 } as const;

export interface Ledger {
  /** Pays, unless the declaration of the tool keeps it from paying again. */
  pay(payment: Payment): "paid" | "known" | "refused";
  reconcile(key: string, epoch: number): Reconciliation;
  ask(question: Question): void;
  /** How often somebody tried to pay an order. */
  attemptsOf(order: string): number;
  /** How often an order was paid. */
  paymentsOf(order: string): number;
  hasPaid(key: string): boolean;
  /** The number of the provider's requests for an order, by round. */
  questionsOf(order: string): ReadonlyMap<number, number>;
}

export function createLedger(): Ledger {
  const attemptsByOrder = new Map<string, number>();
  const paymentsByOrder = new Map<string, number>();
  const paidKeys = new Set<string>();
  const refusedBefore = new Map<string, number>();
  const questions = new Map<string, Map<number, number>>();
  return {
    pay: ({ order, key, epoch, effect }) => {
      attemptsByOrder.set(order, (attemptsByOrder.get(order) ?? 0) + 1);
      if (effect === "read") return "known";
      if (effect === "idempotent" && paidKeys.has(key)) return "known";
      if (effect === "reconcile" && epoch < (refusedBefore.get(key) ?? 0)) return "refused";
      paidKeys.add(key);
      paymentsByOrder.set(order, (paymentsByOrder.get(order) ?? 0) + 1);
      return "paid";
    },
    reconcile: (key, epoch) => {
      if (paidKeys.has(key)) return { kind: "happened", result: { isPaid: true } };
      refusedBefore.set(key, epoch);
      return { kind: "never" };
    },
    ask: ({ text, round }) => {
      const rounds = questions.get(text) ?? new Map<number, number>();
      rounds.set(round, (rounds.get(round) ?? 0) + 1);
      questions.set(text, rounds);
    },
    attemptsOf: (order) => attemptsByOrder.get(order) ?? 0,
    paymentsOf: (order) => paymentsByOrder.get(order) ?? 0,
    hasPaid: (key) => paidKeys.has(key),
    questionsOf: (order) => questions.get(order) ?? new Map(),
  };
}
