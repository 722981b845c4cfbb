// What a router holds of requests is bounded. What it does with them, `e2e/route.test.ts` shows.
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { Cell } from "./cells-file.ts";
import { BODIES_BYTES_MAX, BODY_BYTES_MAX, createRouter } from "./create-router.ts";

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function openRouter() {
  const cell: Cell = {
    ...{ name: "a", tag: "00a", weight: 1 },
    url: new URL(await listen(createServer((_, outgoing) => outgoing.end("{}")))),
  };
  const { answer } = createRouter({
    cells: { all: [cell], names: [[cell]], isHeld: false, digest: "" },
    watch: { stateOf: () => "up", noteAway: () => {} },
  });
  return listen(createServer((incoming, outgoing) => void answer(incoming, outgoing)));
}

/** Says that a start comes, and sends nothing of it yet. */
async function begin(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.write("POST /v1/runs HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n");
  return socket;
}

const start = (url: string) => fetch(`${url}/v1/runs`, { method: "POST", body: "{}" });

test("bodies are held up to BODIES_BYTES_MAX together, and then there is room again", async () => {
  const url = await openRouter();
  const begun: Socket[] = [];
  for (let held = 0; held + BODY_BYTES_MAX <= BODIES_BYTES_MAX; held += BODY_BYTES_MAX)
    begun.push(await begin(url));
  const busy = await waitFor(() => start(url), 503);
  expect(await busy.json()).toMatchObject({ error: { code: "ROUTER_BUSY" } });
  expect(busy.headers.get("retry-after")).toBe("1");
  begun[0]?.write("{}");
  expect((await waitFor(() => start(url), 200)).status).toBe(200);
});

async function waitFor(ask: () => Promise<Response>, status: number): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const answer = await ask();
    if (answer.status === status || tries === 100) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test("a body above BODY_BYTES_MAX is refused, and not read", async () => {
  const url = await openRouter();
  const answer = await fetch(`${url}/v1/runs`, {
    method: "POST",
    body: "x".repeat(BODY_BYTES_MAX + 1),
  });
  expect(await answer.json()).toMatchObject({ error: { code: "BODY_TOO_LARGE" } });
});
