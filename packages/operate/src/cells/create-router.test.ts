// The memory that a router holds for requests is bounded, and it sends each request once.
// `e2e/route.test.ts` shows its answers.
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { Cell } from "./cells-file.ts";
import {
  BODIES_BYTES_MAX,
  BODY_BYTES_MAX,
  createRouter,
  PAGES_BYTES_MAX,
} from "./create-router.ts";

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The requests that each cell got, by its name. */
type Seen = Readonly<Record<string, string[]>>;

interface WantedCell {
  readonly weight?: number;
  readonly answer?: RequestListener;
}

/**
 * A router of cells that answer `{}`, or as configured; names belong to the last, and before to a.
 */
async function openRouter(wanted: Readonly<Record<string, WantedCell>> = { a: {} }) {
  const seen: Record<string, string[]> = {};
  const all: Cell[] = [];
  for (const [name, { weight = 1, answer }] of Object.entries(wanted)) {
    const asked: string[] = [];
    seen[name] = asked;
    const url = await listen((incoming, outgoing) => {
      asked.push(`${incoming.method} ${incoming.url}`);
      incoming.resume();
      if (answer === undefined) outgoing.end("{}");
      else answer(incoming, outgoing);
    });
    all.push({ name, tag: `00${name}`, weight, url: new URL(url) });
  }
  const names = all.map((cell) => [cell]);
  const router = createRouter({
    cells: { all, names, isHeld: false, digest: "" },
    watch: { stateOf: () => "up", noteAway: () => {} },
  });
  const url = await listen((incoming, outgoing) => void router.answer(incoming, outgoing));
  return { url, seen: seen as Seen };
}

/** Sends words as they are, and leaves the connection open. */
async function sendRaw(url: string, words: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve));
  await new Promise((resolve) => socket.write(words, resolve));
  return socket;
}

const start = (url: string, body = "{}") => fetch(`${url}/v1/runs`, { method: "POST", body });

async function codeOf(answer: Response): Promise<unknown> {
  const { error } = (await answer.json()) as { error?: { code?: string } };
  return error?.code;
}

async function waitFor(ask: () => Promise<Response>, status: number): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const answer = await ask();
    if (answer.status === status || tries === 100) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("what is held", () => {
  const post = (bytes: number) =>
    `POST /v1/runs HTTP/1.1\r\nhost: x\r\ncontent-length: ${bytes}\r\n\r\n`;

  test("bodies are held up to BODIES_BYTES_MAX together, then there is room again", async () => {
    const { url } = await openRouter();
    const begun: Socket[] = [];
    const words = `${post(BODY_BYTES_MAX)}${" ".repeat(BODY_BYTES_MAX - 1)}`;
    const begin = async () => begun.push(await sendRaw(url, words));
    for (let sent = BODY_BYTES_MAX; sent <= BODIES_BYTES_MAX; sent += BODY_BYTES_MAX) await begin();
    const body = JSON.stringify({ input: "x".repeat(BODY_BYTES_MAX / 2) });
    // Some sent requests are not counted yet, and others may take their room meanwhile.
    const busy = await waitFor(async () => {
      await begin();
      return start(url, body);
    }, 503);
    expect(await codeOf(busy)).toBe("ROUTER_BUSY");
    expect(busy.headers.get("retry-after")).toBe("1");
    for (const socket of begun) socket.write("1");
    expect((await waitFor(() => start(url, body), 200)).status).toBe(200);
  }, 20_000);

  test("whoever says that a body comes and sends none takes no room from others", async () => {
    const { url } = await openRouter();
    for (let held = 0; held < BODIES_BYTES_MAX; held += BODY_BYTES_MAX) await sendRaw(url, post(2));
    for (let count = 0; count < 5; count++) expect((await start(url)).status).toBe(200);
  });

  test("a body above BODY_BYTES_MAX is refused, and not read", async () => {
    const { url } = await openRouter();
    expect(await codeOf(await start(url, "x".repeat(BODY_BYTES_MAX + 1)))).toBe("BODY_TOO_LARGE");
  });

  test("pages of lists are held up to PAGES_BYTES_MAX together", async () => {
    const part = Buffer.alloc(PAGES_BYTES_MAX / 4 - 1024, " ");
    const { url } = await openRouter({
      a: {
        answer: ({ url: path }, outgoing) => {
          if (path?.includes("limit=1")) outgoing.end('{"runs":[],"next":null}');
          else outgoing.write(part);
        },
      },
    });
    const list = (limit: number) => fetch(`${url}/v1/runs?limit=${limit}`);
    for (let count = 0; count < 4; count++)
      await sendRaw(url, "GET /v1/runs?limit=50 HTTP/1.1\r\nhost: x\r\n\r\n");
    const busy = await waitFor(() => {
      const late = new Promise<Response>((resolve) =>
        setTimeout(() => resolve(new Response(null, { status: 504 })), 1_000),
      );
      return Promise.race([list(50), late]);
    }, 503);
    expect(await codeOf(busy)).toBe("ROUTER_BUSY");
    for (const socket of sockets.splice(0)) socket.destroy();
    expect((await waitFor(() => list(1), 200)).status).toBe(200);
  }, 20_000);
});

describe("what a cell is sent", () => {
  const run = "00a00000-0000-4000-8000-000000000000";
  const inner = "GET /v1/smuggled HTTP/1.1\r\nhost: x\r\n\r\n";
  const chunked = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;

  test.each(["GET", "DELETE", "OPTIONS", "POST"])("a body of %s is no request", async (method) => {
    const { url, seen } = await openRouter();
    const first = `${method} /v1/runs/${run}/stop HTTP/1.1\r\nhost: x\r\n`;
    await sendRaw(url, `${first}transfer-encoding: chunked\r\n\r\n${chunked}`);
    const length = `content-length: ${inner.length}\r\nconnection: content-length, keep-alive\r\n`;
    await sendRaw(url, `${first}${length}\r\n${inner}`);
    await waitFor(
      async () => new Response(null, { status: seen["a"]?.length === 2 ? 200 : 202 }),
      200,
    );
    await fetch(`${url}/v1/runs/${run}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const asked = `${method} /v1/runs/${run}/stop`;
    expect(seen["a"]).toEqual([asked, asked, `GET /v1/runs/${run}`]);
  });

  test.each([401, 403, 429])("where a cell answers %d to the question, nothing", async (status) => {
    const { url, seen } = await openRouter({
      a: {
        answer: ({ method }, outgoing) => {
          outgoing.writeHead(method === "GET" ? status : 201, { "retry-after": "7" });
          outgoing.end('{"error":{"code":"NO"}}');
        },
      },
      b: {},
    });
    const answer = await start(url, '{"key":"order 1"}');
    expect([answer.status, await codeOf(answer)]).toEqual([status, "NO"]);
    expect(answer.headers.get("retry-after")).toBe("7");
    expect(seen).toEqual({ a: ["GET /v1/starts/order%201"], b: [] });
  });

  test.each(["/v1/./runs", "/v1/x/../runs", "/v1/%2e/runs", "/v1/runs#x"])(
    "a key that is sent to %s falls where it does at /v1/runs",
    async (target) => {
      const gone: WantedCell = { answer: (_, outgoing) => outgoing.writeHead(404).end() };
      const { url, seen } = await openRouter({ a: gone, b: {} });
      const body = '{"key":"k"}';
      const head = `POST ${target} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`;
      const socket = await sendRaw(url, `${head}${body}`);
      await new Promise((resolve) => socket.once("data", resolve));
      expect(seen).toEqual({ a: ["GET /v1/starts/k"], b: ["POST /v1/runs"] });
    },
  );

  test("a key behind a byte order mark falls where it does without", async () => {
    const gone: WantedCell = { answer: (_, outgoing) => outgoing.writeHead(404).end() };
    const { url, seen } = await openRouter({ a: gone, b: { weight: 0 } });
    for (const mark of ["", "\uFEFF"])
      expect((await start(url, `${mark}{"key":"k"}`)).status).toBe(200);
    const asked = "GET /v1/starts/k";
    expect(seen).toEqual({ a: [asked, asked], b: ["POST /v1/runs", "POST /v1/runs"] });
  });
});
