/** The ledger behind a loopback address, with the bad manners of real services. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createLedger, type Ledger, type Payment, type Question } from "./ledger.ts";

/**
 * How a payment is answered the first time that its key is seen; later requests of that key are
 * answered at once. `hangs` pays and never answers, `late` pays and answers after a while, `stuck`
 * never answers and never pays.
 */
export const MANNERS = ["prompt", "late", "hangs", "stuck"] as const;
export type Manners = (typeof MANNERS)[number];

const LATE_MS = 100;

export interface OutsideWorld {
  readonly url: string;
  readonly ledger: Ledger;
  /** Sets how payments of an order are answered; `prompt` by default. */
  behave(order: string, manners: Manners): void;
  close(): void;
}

/** Answers a request, or never: then the connection stays open without an answer. */
type Route = (body: never) => Promise<object | undefined>;

export async function startOutsideWorld(): Promise<OutsideWorld> {
  const ledger = createLedger();
  const mannersByOrder = new Map<string, Manners>();
  const seenKeys = new Set<string>();
  const pay = async (payment: Payment): Promise<object | undefined> => {
    const manners = seenKeys.has(payment.key) ? "prompt" : mannersByOrder.get(payment.order);
    seenKeys.add(payment.key);
    if (manners === "stuck") return undefined;
    const answer = ledger.pay(payment);
    if (manners === "hangs") return undefined;
    if (manners === "late") await new Promise((resume) => setTimeout(resume, LATE_MS));
    return { answer };
  };
  const routes = new Map<string, Route>([
    ["/pay", pay],
    ["/reconcile", async ({ key, epoch }: Payment) => ledger.reconcile(key, epoch)],
    [
      "/ask",
      async (question: Question) => {
        ledger.ask(question);
        return {};
      },
    ],
  ]);
  const server = createServer((request, response) => {
    answerRequest(request, response, routes).catch(() => response.destroy());
  });
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    ledger,
    behave: (order, manners) => mannersByOrder.set(order, manners),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  routes: ReadonlyMap<string, Route>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const route = routes.get(request.url ?? "");
  const result = await route?.(JSON.parse(Buffer.concat(chunks).toString()) as never);
  if (result !== undefined) response.end(JSON.stringify(result));
}
