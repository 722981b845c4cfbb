/**
 * A process that relays pieces of text to watchers, in two ways: the server, from a model through a
 * run, and a bare relay of node:http. The pieces are the same, and so is their pace; each carries
 * the moment at which it was made.
 */
import { createServer as createHttpServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createLocalHost } from "@turnseal/host";
import { type Model, memoryLiveBus, memoryStores, systemClock } from "@turnseal/ports";
import { definePrompt, jsonSchema } from "@turnseal/protocol/authoring";
import { createServer, driveRuns, serve } from "@turnseal/server";
import { createSigner } from "./sample-turn.ts";

/** Where the two are, and the run that is watched. */
export interface Relays {
  readonly server: string;
  readonly floor: string;
  readonly run: string;
}

/** Has one of the two send so many pieces; the worker answers when all are sent. */
export interface Relayed {
  readonly by: "server" | "floor";
  readonly pieces: number;
  readonly paceMs: number;
}

/** Of every piece: the stamp and what fills it up. */
const FILLING = " of a text that is being written ";

async function* makePieces({ pieces, paceMs }: Relayed): AsyncGenerator<string> {
  for (let piece = 0; piece < pieces; piece++) {
    await sleep(paceMs);
    yield `<${process.hrtime.bigint()}>${FILLING}`;
  }
}

let order: Relayed = { by: "server", pieces: 1, paceMs: 1 };
const talker: Model = {
  defaultModel: "talker",
  generate: async ({ onDelta }) => {
    let text = "";
    for await (const piece of makePieces(order)) {
      text += piece;
      onDelta?.({ kind: "text", part: 0, text: piece });
    }
    const usage = { inputTokens: 1, outputTokens: 1 };
    return { content: [{ kind: "text", text }], finishReason: "stop", usage };
  },
};

const watchers = new Set<ServerResponse>();
const floor = createHttpServer((_, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write("event: state\ndata: {}\n\n");
  watchers.add(response);
  response.on("close", () => watchers.delete(response));
});
await new Promise<void>((resolve) => floor.listen(0, "127.0.0.1", resolve));

const live = memoryLiveBus();
const stores = memoryStores(systemClock);
const chat = definePrompt({
  ...{ id: "chat", version: "1.0.0", template: "{{text}}", backend: { id: "talker" } },
  input: jsonSchema<{ readonly text: string }>({ type: "object" }),
  output: jsonSchema<unknown>(true),
});
const signer = createSigner();
const host = createLocalHost({ loops: [chat], models: { talker }, stores, signer, live });
const { lookAt } = driveRuns({ drive: host.drive });
const agent = {
  loop: chat,
  grant: { grantor: "bench", tools: [], budget: {} },
  bounds: { turnsMax: 1_000, awaits: ["message"], nextInput: { text: "$.signals.message.text" } },
};
const run = await host.start(chat, { text: "hello" }, agent);
await host.drive(run);
const served = createServer({
  tenants: () => ({ ...host, stores, live, lookAt }),
  agents: { chat: agent },
  authenticate: () => ({ tenant: "bench", id: "bench", roles: [] }),
  limits: { requestsMax: Number.MAX_SAFE_INTEGER },
});
const { url } = await serve(served, { port: 0 });

let orders = 0;
process.on("message", (given: Relayed) => void relay(given));

async function relay(given: Relayed): Promise<void> {
  order = given;
  orders += 1;
  if (order.by === "server") {
    await host.signal(run, {
      ...{ name: "message", key: String(orders), by: "bench" },
      payload: { text: String(orders) },
    });
    await host.drive(run);
  } else {
    for await (const piece of makePieces(order)) {
      const frame = `event: delta\ndata: ${JSON.stringify({ text: piece })}\n\n`;
      for (const watcher of watchers) watcher.write(frame);
    }
  }
  process.send?.("sent");
}

process.on("disconnect", () => process.exit());
const { port } = floor.address() as AddressInfo;
process.send?.({ server: url, floor: `http://127.0.0.1:${port}`, run } satisfies Relays);
