/** What the four programs of `docs/side-by-side` meet: a scripted model, and a bank over HTTP. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { LLMock } from "@copilotkit/aimock";

export interface World {
  readonly modelUrl: string;
  readonly bankUrl: string;
  /** The keys of the payments that have reached the bank, in order. */
  readonly payments: readonly string[];
  /** From now on the bank pays and does not answer, or answers again. */
  setSilent(isSilent: boolean): void;
  /** Resolves when the bank has this many payment requests. */
  untilPayments(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens both on ports of this machine. */
export async function openWorld(): Promise<World> {
  const model = await openModel();
  const payments: string[] = [];
  const waiting: { readonly count: number; readonly resume: () => void }[] = [];
  let isSilent = false;
  const bank = createServer((request, response) => {
    if (request.method === "GET") {
      sendJson(response, { order: request.url?.split("/").at(-1), amountCents: 1250 });
      return;
    }
    payments.push(keyOf(request));
    for (const { count, resume } of waiting) if (payments.length >= count) resume();
    if (!isSilent) sendJson(response, { reference: `paid-${payments.length}` });
  });
  await new Promise<void>((resume) => {
    bank.listen(0, "127.0.0.1", resume);
  });
  return {
    modelUrl: `${model.url}/v1`,
    bankUrl: `http://127.0.0.1:${(bank.address() as AddressInfo).port}`,
    payments,
    setSilent: (wanted) => {
      isSilent = wanted;
    },
    untilPayments: (count) =>
      payments.length >= count
        ? Promise.resolve()
        : new Promise((resume) => waiting.push({ count, resume })),
    close: async () => {
      bank.closeAllConnections();
      bank.close();
      await model.stop();
    },
  };
}

/** Looks up, pays, tells: by how many results it was shown. */
async function openModel(): Promise<LLMock> {
  const model = await LLMock.create({ port: 0 });
  // Turnseal offers a tool under its namespace, the others as it is called.
  for (const namespace of ["", "local__"]) {
    const calls = [
      { name: "lookup", given: { order: "A-17" } },
      { name: "pay", given: { order: "A-17", amountCents: 1250 } },
    ].map(({ name, given }) => ({
      toolCalls: [
        { id: `call-${name}`, name: `${namespace}${name}`, arguments: JSON.stringify(given) },
      ],
    }));
    for (const [results, response] of [...calls, { content: "Order A-17 is refunded." }].entries())
      model.addFixture({
        match: {
          predicate: ({ messages, tools = [] }) =>
            tools.some(({ function: { name } }) => name === `${namespace}lookup`) &&
            messages.filter(({ role }) => role === "tool").length === results,
        },
        response,
      });
  }
  return model;
}

function keyOf({ headers }: IncomingMessage): string {
  return String(headers["idempotency-key"]);
}

function sendJson(response: ServerResponse, value: object): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
}
