/** A bare server for tests: it answers every request in the same way and counts them. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface ScriptedServer {
  readonly url: string;
  readonly requestCount: () => number;
  /** The sent bodies, in order. */
  readonly bodies: readonly string[];
  readonly stop: () => void;
}

/** Starts it on a free port. The request is read whole before the reply begins. */
export async function startScriptedServer(
  reply: (response: ServerResponse) => void,
): Promise<ScriptedServer> {
  let requestCount = 0;
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    requestCount += 1;
    void text(request).then((body) => {
      bodies.push(body);
      reply(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requestCount: () => requestCount,
    bodies,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
