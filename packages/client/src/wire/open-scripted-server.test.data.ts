/** A server of node:http that runs each test's script, and remembers its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Script = (asked: Asked, response: ServerResponse, count: number) => void;

export async function openScriptedServer(script: Script) {
  const asked: Asked[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url: path = "", headers } = request;
    const now = { method, path, headers, body };
    asked.push(now);
    script(now, response, asked.length);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Begins a stream with these frames. */
export function stream(response: ServerResponse, frames: readonly (readonly [string, object])[]) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [name, value] of frames)
    response.write(`event: ${name}\ndata: ${JSON.stringify(value)}\n\n`);
}

export function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { code, message: `it is ${code}` } }));
}
