/**
 * A real model: llama.cpp with a tiny model of ours, behind a server that counts the requests and
 * can hold an answer back in the middle.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePort } from "@turnseal/runtime/engine";

const program = fileURLToPath(new URL("../.tools/llama/llama-server", import.meta.url));
const model = fileURLToPath(new URL("__fixtures__/tiny-tools.gguf", import.meta.url));

// The model was taught the bare names of its two tools, and has seen no others.
const NAMESPACE = "local__";

export interface LlamaWorld {
  readonly url: string;
  /** The requests that have reached the model, of which the answers were cut off by nobody here. */
  readonly requestCount: () => number;
  /** From the next answer on, lets so many pieces through and keeps the rest. */
  hold(pieces: number): void;
  /** Lets everything through again. */
  release(): void;
  close(): Promise<void>;
}

/** Starts the model. A machine without it fails the test: it is never skipped. */
export async function openLlamaWorld(): Promise<LlamaWorld> {
  if (!existsSync(program)) throw new Error("llama.cpp is missing: run tools/install-llama.sh");
  const port = await findFreePort();
  const options = ["--jinja", "--host", "127.0.0.1", "--port", String(port), "--threads", "2"];
  const llama = spawn(program, ["-m", model, ...options], { stdio: "ignore" });
  const upstream = `http://127.0.0.1:${port}`;
  await untilReady(llama, upstream);
  let requestCount = 0;
  let piecesMax = Number.POSITIVE_INFINITY;
  let released = Promise.withResolvers<void>();
  const relay = async (request: IncomingMessage, response: ServerResponse) => {
    requestCount += 1;
    const answer = await fetch(`${upstream}${request.url}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: (await readBody(request)).replaceAll(`"${NAMESPACE}`, '"'),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    let pieces = 0;
    for await (const event of splitEvents(answer.body)) {
      if (event.includes('"content":"')) pieces += 1;
      if (pieces > piecesMax) await released.promise;
      response.write(event.replace(/"name":"(?=get_weather|add)/g, `$&${NAMESPACE}`));
    }
    response.end();
  };
  const server = createServer((request, response) => {
    relay(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requestCount: () => requestCount,
    hold: (pieces) => {
      piecesMax = pieces;
      released = Promise.withResolvers();
    },
    release: () => {
      piecesMax = Number.POSITIVE_INFINITY;
      released.resolve();
    },
    close: async () => {
      released.resolve();
      server.closeAllConnections();
      server.close();
      llama.kill("SIGKILL");
    },
  };
}

async function untilReady(llama: ChildProcess, url: string): Promise<void> {
  let isOver = false;
  llama.once("exit", () => {
    isOver = true;
  });
  for (let attempt = 0; attempt < 300 && !isOver; attempt++) {
    const isReady = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(100);
  }
  llama.kill("SIGKILL");
  throw new Error("llama.cpp did not start");
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

async function* splitEvents(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  let rest = "";
  for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = `${rest}${text}`.split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) yield `${event}\n\n`;
  }
  if (rest !== "") yield rest;
}
