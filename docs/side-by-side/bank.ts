/** The shop's orders and the bank, the same for the four programs beside this file. */
import { z } from "zod";

export const instructions =
  "You refund orders. Look the order up, pay it back, then tell the customer.";
export const orderNumber = z.object({ order: z.string() });
export const payment = z.object({ order: z.string(), amountCents: z.int().positive() });
export const paid = z.object({ reference: z.string() });

/** What was paid for an order. */
export async function readOrder(order: string): Promise<z.infer<typeof payment>> {
  const response = await fetch(`${process.env["BANK_URL"]}/orders/${order}`);
  return payment.parse(await response.json());
}

/** Pays an amount back. The key tells the bank which requests are the same payment. */
export async function payBack(
  refund: z.infer<typeof payment>,
  key: string,
): Promise<z.infer<typeof paid>> {
  const headers = { "content-type": "application/json", "idempotency-key": key };
  const body = JSON.stringify(refund);
  const request = { method: "POST", headers, body };
  const response = await fetch(`${process.env["BANK_URL"]}/payments`, request);
  return paid.parse(await response.json());
}
