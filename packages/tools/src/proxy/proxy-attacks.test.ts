// Hosts and commands that want to end the worker, or to pass a rule of the proxy.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { dirname } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { HostVerb } from "../web/need-host.ts";
import { guard } from "./guard.ts";
import { createMeter } from "./meter.ts";
import { parseNetwork } from "./network-reach.ts";
import { type CommandProxy, openProxy } from "./open-proxy.ts";
import { lines, say } from "./raw-client.test.data.ts";

const OK = lines("HTTP/1.1 200 OK", "Content-Length: 7", "Connection: close");
const open: (Server | CommandProxy)[] = [];
let seen = "";
afterEach(() => {
  seen = "";
  for (const each of open.splice(0)) each.close();
});

/** A listed host that answers these bytes. */
async function listen(answer = `${OK}reached`): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (part) => {
      seen += part.toString("latin1");
      if (seen.includes("\r\n\r\n")) socket.end(Buffer.from(answer, "latin1"));
    });
  }).listen(0, "127.0.0.1");
  open.push(server);
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Start {
  readonly verbs?: readonly HostVerb[];
  readonly most?: number;
}
async function start(host: string, { verbs, most }: Start = {}): Promise<CommandProxy> {
  const network = { hosts: [host], privateHosts: [host], ...(verbs && { verbs }) };
  const proxy = await openProxy(parseNetwork(network), undefined, most);
  open.push(proxy);
  return proxy;
}

describe("a host", () => {
  test.each([
    ["the status 000", "HTTP/1.1 000 x\r\n\r\n"],
    ["the status 099", "HTTP/1.1 099 x\r\n\r\n"],
    ["the status 101 without an upgrade", "HTTP/1.1 101 x\r\n\r\n"],
    ["the status 600", "HTTP/1.1 600 x\r\n\r\n"],
    ["the status 999", "HTTP/1.1 999 x\r\n\r\n"],
    ["a control character", "HTTP/1.1 200 OK\r\nX-A: a\x7fb\r\n\r\n"],
    ["a space in a name", "HTTP/1.1 200 OK\r\nX A: a\r\n\r\n"],
    ["an upgrade", "HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nmore"],
    ["no HTTP", "\x00\x01"],
    ["nothing", ""],
  ])("that answers %s is a failure, and the worker lives", async (_, answer) => {
    const host = await listen(answer);
    const proxy = await start(host);
    expect(await say(proxy, lines(`GET http://${host}/ HTTP/1.1`, "Host: x"))).toMatch(
      /^HTTP\/1.1 502 Bad Gateway\r\n[\s\S]*turnseal: the host failed\n$/,
    );
    proxy.close();
    expect(existsSync(dirname(proxy.socket))).toBe(false);
  });

  test.each([200, 204, 304, 404, 599])("that answers %i is passed on", async (status) => {
    const host = await listen(lines(`HTTP/1.1 ${status} x`, "X-A: \xe9", "Connection: close"));
    const got = await say(
      await start(host),
      lines(`GET http://${host}/ HTTP/1.1`, "Host: x", "Connection: close"),
    );
    expect(got).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  test("that ends in the middle of its answer ends the connection", async () => {
    const host = await listen(`${lines("HTTP/1.1 200 OK", "Content-Length: 70")}reached`);
    const got = await say(await start(host), lines(`GET http://${host}/ HTTP/1.1`, "Host: x"));
    expect(got).not.toContain("0\r\n\r\n");
  });
});

test.each([
  ["throws", () => expect.unreachable()],
  ["rejects", async () => Promise.reject(new Error("x"))],
])("a listener that %s fails its connection alone", async (_, run) => {
  const failed: string[] = [];
  const listener = guard<[string]>(run, (name) => failed.push(name));
  expect(() => listener("a")).not.toThrow();
  await new Promise((resolve) => setImmediate(resolve));
  expect(failed).toEqual(["a"]);
});

describe("another spelling of a listed host", () => {
  test.each(["0x7f.1", "127%2e0.0.1", "127.0.0.1.", "2130706433", "127.1", "0177.0.0.1"])(
    "%s is refused, and no server sees it",
    async (spelling) => {
      const host = await listen();
      const other = `${spelling}:${host.split(":")[1]}`;
      const proxy = await start(host);
      for (const line of [`GET http://${other}/ HTTP/1.1`, `CONNECT ${other} HTTP/1.1`])
        expect(await say(proxy, lines(line, "Host: x"))).toMatch(/^HTTP\/1.1 403/);
      expect(proxy.refusals()).toEqual([`${other} is not among \`network.hosts\``]);
      expect(seen).toBe("");
    },
  );
});

describe("with the verb `read` alone", () => {
  const ask = async (method: string, headers: readonly string[], body = "") => {
    const host = await listen();
    const proxy = await start(host, { verbs: ["read"] });
    const head = [`${method} http://${host}/ HTTP/1.1`, "Host: x", "Connection: close"];
    return say(proxy, lines(...head, ...headers) + body);
  };

  test.each([
    ["GET", ["Content-Length: 1"], "x"],
    ["HEAD", ["Content-Length: 1"], "x"],
    ["GET", ["Transfer-Encoding: chunked"], "1\r\nx\r\n0\r\n\r\n"],
    ["HEAD", ["Transfer-Encoding: chunked"], "0\r\n\r\n"],
  ])("%s with a body is refused: %j", async (method, headers, body) => {
    expect(await ask(method, headers, body)).toMatch(/^HTTP\/1.1 403/);
    expect(seen).toBe("");
  });

  test("GET with a length of 0 is passed on", async () => {
    expect(await ask("GET", ["Content-Length: 0"])).toContain("reached");
  });

  test.each(["X-HTTP-Method-Override", "x-method-override", "X-HTTP-Method", "X_HTTP_Method"])(
    "%s is dropped",
    async (name) => {
      expect(await ask("GET", [`${name}: DELETE`, "X-Kept: 1"])).toContain("reached");
      expect(seen.toLowerCase()).toContain("x-kept");
      expect(seen).not.toContain("DELETE");
    },
  );
});

describe("bytes", () => {
  const FULL = "a command sends and receives at most 20000 bytes";
  const MANY = 12;
  /** How many of the requests were answered. */
  async function askOften(proxy: CommandProxy, text: string, expected: string): Promise<number> {
    let answered = 0;
    for (let at = 0; at < MANY; at += 1)
      if ((await say(proxy, text)).includes(expected)) answered += 1;
    return answered;
  }
  const get = (url: string, ...headers: readonly string[]) =>
    lines(`GET ${url} HTTP/1.1`, "Host: x", "Connection: close", ...headers);

  test.each([
    ["URLs", (host: string) => get(`http://${host}/${"u".repeat(4000)}`), "reached"],
    ["headers", (host: string) => get(`http://${host}/`, `X-A: ${"h".repeat(4000)}`), "reached"],
    ["refused requests", () => get(`http://h.example/${"u".repeat(4000)}`), "403"],
  ])("of %s are counted", async (_, text, expected) => {
    const host = await listen();
    const proxy = await start(host, { most: 20_000 });
    expect(await askOften(proxy, text(host), expected)).toBe(4);
    expect(proxy.refusals()).toContain(FULL);
  });

  test.each([
    ["headers", lines("HTTP/1.1 200 OK", `X-A: ${"h".repeat(4000)}`, "Connection: close")],
    ["answers before the answer", lines("HTTP/1.1 102 x").repeat(250) + OK],
  ])("of %s of a host are counted", async (_, answer) => {
    const host = await listen(answer);
    const proxy = await start(host, { most: 20_000 });
    expect(await askOften(proxy, get(`http://${host}/`), "200 OK")).toBeLessThan(MANY);
    expect(proxy.refusals()).toEqual([FULL]);
  });

  test("up to the bound pass, and the next one ends all", async () => {
    const full: string[] = [];
    const meter = createMeter((why) => full.push(why), 10);
    const echo = createServer((socket) => void socket.pipe(socket)).listen(0, "127.0.0.1");
    open.push(echo);
    await once(echo, "listening");
    const say5 = async (text: string) => {
      const socket = connect((echo.address() as AddressInfo).port, "127.0.0.1");
      meter.watch(socket);
      socket.end(text);
      await once(socket, "close");
    };
    await say5("12");
    await say5("345");
    expect(full).toEqual([]);
    await say5("6");
    await say5("7");
    expect(full).toEqual(["a command sends and receives at most 10 bytes"]);
  });
});
