// The world outside of a run: a file in which every payment leaves a line, so that anyone can count
// what really happened.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

export interface Payment {
  readonly order: string;
  readonly amountCents: number;
}

/**
 * Pays at once, and answers late: a process that is killed in between does not know that it paid.
 */
export async function pay(payment: Payment, key: string): Promise<string> {
  appendFileSync(ledgerFile(), `${JSON.stringify({ ...payment, key })}\n`);
  await wait(Number(process.env["REFUND_SLOW_MS"] ?? 6_000));
  return `paid-${key.slice(0, 8)}`;
}

/** True when a payment was made under this key. */
export function isPaid(key: string): boolean {
  return existsSync(ledgerFile()) && readFileSync(ledgerFile(), "utf8").includes(key);
}

function ledgerFile(): string {
  return process.env["REFUND_LEDGER"] ?? "refunds.txt";
}
