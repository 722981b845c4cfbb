import { createPayments, type Payments, type PaymentsOptions } from "./payments.ts";

/** A run whose process ended after it had claimed its payment and before it had settled it. */
export async function interruptPayment(first: PaymentsOptions = {}) {
  const { clock, stores, start } = createPayments(first);
  const run = await start();
  const { log } = stores;
  const crashing = {
    ...log,
    append: async (append: Parameters<typeof log.append>[0]) => {
      const answer = await log.append(append);
      const isClaim = append.events.some(
        (event) =>
          event.type === "action.claimed" &&
          event.content.action === "tool" &&
          event.content.tool === "local.pay",
      );
      if (isClaim) throw new Error("the process is gone");
      return answer;
    },
  };
  const worker = createPayments({ ...first, stores: { ...stores, log: crashing }, clock });
  const crash = await worker.host.advance(run).catch((error: Error) => error.message);
  if (crash !== "the process is gone") throw new Error("the payment was not interrupted");
  /** The next process, with other options. */
  const next = (options: PaymentsOptions = {}): Payments =>
    createPayments({ ...first, stores, clock, ...options });
  return { run, next, clock, stores };
}
