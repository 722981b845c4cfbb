/**
 * Where payments truly happen: outside of everything that is killed. It believes nobody, and knows
 * when each one was made.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createLedger, type Ledger, type Payment } from "../crash/ledger.ts";

export interface Outside {
  readonly url: string;
  readonly ledger: Ledger;
  /** When payments were made, in order. */
  readonly timesMs: readonly number[];
  close(): void;
}

/** Every so many payments are answered late, so that a fault finds some in flight. */
const LATE_EVERY = 4;
const LATE_MS = 150;

export async function openOutside(): Promise<Outside> {
  const ledger = createLedger();
  const timesMs: number[] = [];
  let asked = 0;
  const pay = async (payment: Payment): Promise<object> => {
    const answer = ledger.pay(payment);
    timesMs.push(performance.now());
    asked += 1;
    if (asked % LATE_EVERY === 0) await new Promise((resume) => setTimeout(resume, LATE_MS));
    return { answer };
  };
  const server = createServer((request, response) => {
    readBody(request)
      .then((body) =>
        request.url === "/pay"
          ? pay(body as Payment)
          : ledger.reconcile((body as Payment).key, (body as Payment).epoch),
      )
      .then((answer) => response.end(JSON.stringify(answer)))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    ledger,
    timesMs,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}
