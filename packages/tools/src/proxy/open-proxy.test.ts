// The proxy of a command, spoken to by its socket as a hostile client does; all servers are real.

import dns from "node:dns/promises";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HostVerb } from "../web/need-host.ts";
import {
  PROXY_BYTES_MAX,
  PROXY_CONNECT_MS_MAX,
  PROXY_CONNECTIONS_MAX,
  PROXY_IDLE_MS,
  REFUSALS_MAX,
} from "./limits.ts";
import { parseNetwork } from "./network-reach.ts";
import { type CommandProxy, openProxy } from "./open-proxy.ts";
import { lines, say } from "./raw-client.test.data.ts";

interface Seen {
  readonly line: string;
  readonly host: string | undefined;
  readonly headers: readonly string[];
  readonly body: string;
}

const resolver = dns.lookup;
const seen: Seen[] = [];
const open: (Server | CommandProxy)[] = [];
let host = "";
let port = 0;
let other = "";
beforeEach(async () => {
  host = await listen("127.0.0.1");
  port = Number(host.split(":")[1]);
  other = await listen("127.0.0.2", port);
});
afterEach(() => {
  dns.lookup = resolver;
  syncBuiltinESMExports();
  seen.splice(0);
  for (const each of open.splice(0)) each.close();
});

async function listen(address: string, at = 0): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", () => {
      const { method, url, headers } = request;
      const names = Object.keys(headers);
      seen.push({ line: `${method} ${address} ${url}`, host: headers.host, headers: names, body });
      if (url === "/switch") response.writeHead(101, { upgrade: "x", connection: "upgrade" }).end();
      else response.end("reached");
    });
  }).listen(at, address);
  open.push(server);
  await once(server, "listening");
  return `${address}:${(server.address() as AddressInfo).port}`;
}

async function start(hosts: readonly string[], verbs?: readonly HostVerb[]) {
  const network = { hosts, privateHosts: hosts, ...(verbs && { verbs }) };
  const proxy = await openProxy(parseNetwork(network), undefined);
  open.push(proxy);
  return proxy;
}

describe("a request is written anew", () => {
  test("with the host of its URL, and without the headers of the connection", async () => {
    const proxy = await start([host]);
    const got = await say(
      proxy,
      lines(
        ...[`GET http://${host}/a HTTP/1.1`, `Host: ${other}`, "Proxy-Authorization: x"],
        ...["Connection: close, X-Hop", "X-Hop: 1", "X-Kept: 2", "Upgrade: h2c"],
      ),
    );
    expect(got).toContain("reached");
    expect(seen).toMatchObject([{ line: "GET 127.0.0.1 /a", host, body: "" }]);
    expect(seen[0]?.headers.toSorted()).toEqual(["connection", "host", "x-kept"]);
    expect(proxy.refusals()).toEqual([]);
  });

  test("a body with its length, or in chunks", async () => {
    const proxy = await start([host]);
    const head = [`POST http://${host}/b HTTP/1.1`, "Host: x"];
    await say(proxy, `${lines(...head, "Content-Length: 3", "Connection: close")}abc`);
    await say(
      proxy,
      `${lines(...head, "Transfer-Encoding: chunked", "Connection: close")}3\r\nabc\r\n0\r\n\r\n`,
    );
    expect(seen.map(({ body }) => body)).toEqual(["abc", "abc"]);
  });

  test.each([
    ["two framings", ["Content-Length: 5", "Transfer-Encoding: chunked"]],
    ["two lengths", ["Content-Length: 5", "Content-Length: 6"]],
    ["a length that is none", ["Content-Length: +5"]],
    ["a space before the colon", ["Content-Length : 5"]],
    ["a coding that is not the last", ["Transfer-Encoding: chunked, identity"]],
    ["a header without a name", [": x"]],
    ["a bare line end", ["X-A: a\nHost: b"]],
  ])("%s: refused, and no server sees it", async (_, headers) => {
    const proxy = await start([host]);
    const hidden = `0\r\n\r\nGET http://${other}/ HTTP/1.1\r\nHost: x\r\n\r\n`;
    await say(proxy, lines(`POST http://${host}/ HTTP/1.1`, "Host: x", ...headers) + hidden);
    expect(seen.filter(({ line }) => line.includes("127.0.0.2"))).toEqual([]);
    expect(seen.filter(({ line }) => line.startsWith("GET"))).toEqual([]);
    expect(proxy.refusals().length).toBeGreaterThan(0);
  });

  test("a second request on the connection is judged by itself", async () => {
    const proxy = await start([host]);
    const first = lines(`GET http://${host}/1 HTTP/1.1`, "Host: x");
    await say(proxy, first + lines(`GET http://${other}/2 HTTP/1.1`, "Host: x"));
    expect(seen.map(({ line }) => line)).toEqual(["GET 127.0.0.1 /1"]);
    expect(proxy.refusals()).toEqual([`${other} is not among \`network.hosts\``]);
  });

  test("an answer that changes the protocol is a failure", async () => {
    const proxy = await start([host]);
    expect(await say(proxy, lines(`GET http://${host}/switch HTTP/1.1`, "Host: x"))).toMatch(
      /^HTTP\/1.1 502/,
    );
  });
});

describe("a tunnel", () => {
  const through = (proxy: CommandProxy, to: string) =>
    say(proxy, lines(`CONNECT ${to} HTTP/1.1`, "Host: x") + lines("GET /t HTTP/1.0"));
  test("reaches its host, and no other", async () => {
    const proxy = await start([host]);
    expect(await through(proxy, host)).toContain("reached");
    expect(await through(proxy, other)).toMatch(/^HTTP\/1.1 403[\s\S]*not among `network.hosts`/);
    expect(seen.map(({ line }) => line)).toEqual(["GET 127.0.0.1 /t"]);
  });

  test("is not made without every verb, where a request is", async () => {
    const proxy = await start([host], ["read"]);
    expect(await through(proxy, host)).toMatch(/^HTTP\/1.1 403/);
    const request = (method: string) =>
      say(proxy, lines(`${method} http://${host}/ HTTP/1.1`, "Host: x", "Connection: close"));
    expect(await request("GET")).toContain("reached");
    expect(await request("POST")).toContain("`create`");
    expect(seen.map(({ line }) => line)).toEqual(["GET 127.0.0.1 /"]);
  });
});

describe("a name", () => {
  let asked = 0;
  /** The resolver of the system answers so, as a name server of an attacker would. */
  function resolveTo(...answers: readonly (readonly string[])[]): void {
    asked = 0;
    const answer = async () => {
      const found = answers[Math.min(asked, answers.length - 1)] ?? [];
      asked += 1;
      return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    };
    dns.lookup = answer as never;
    syncBuiltinESMExports();
  }
  const name = () => `rebind.example:${port}`;
  const both = async (proxy: CommandProxy) => [
    await say(proxy, lines(`GET http://${name()}/ HTTP/1.1`, "Host: x", "Connection: close")),
    await say(proxy, lines(`CONNECT ${name()} HTTP/1.1`, "Host: x") + lines("GET / HTTP/1.0")),
  ];

  test("that changes is looked up once, and the checked address is reached", async () => {
    const proxy = await start([name()]);
    resolveTo(["127.0.0.1"], ["127.0.0.1"], ["127.0.0.2"]);
    for (const got of await both(proxy)) expect(got).toContain("reached");
    expect(seen.map(({ line }) => line)).toEqual(["GET 127.0.0.1 /", "GET 127.0.0.1 /"]);
    expect(asked).toBe(2);
  });

  test.each([
    [["127.0.0.1"]],
    [["93.184.216.34", "127.0.0.1"]],
    [["169.254.169.254"]],
    [["10.0.0.1"]],
    [["::1"]],
    [["::ffff:127.0.0.1"]],
    [["fd00:ec2::254"]],
    [[]],
  ])("with the addresses %j is refused, where the operator does not trust it", async (found) => {
    const proxy = await openProxy(parseNetwork({ hosts: [name()] }), undefined);
    open.push(proxy);
    resolveTo(found, ["93.184.216.34"]);
    const [request] = await both(proxy);
    expect(request).toMatch(/^HTTP\/1.1 403[\s\S]*address/);
    expect(seen).toEqual([]);
    expect(proxy.refusals()[0]).toContain("address");
  });
});

describe("bounds", () => {
  test(`PROXY_CONNECTIONS_MAX connections at once: ${PROXY_CONNECTIONS_MAX}`, async () => {
    const proxy = await start([host]);
    const dial = async (): Promise<Socket> => {
      const socket = connect({ path: proxy.socket });
      socket.on("error", () => {});
      await once(socket, "connect");
      return socket;
    };
    const sockets = await Promise.all(Array.from({ length: PROXY_CONNECTIONS_MAX }, dial));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(proxy.refusals()).toEqual([]);
    const more = await dial();
    await once(more.resume(), "close");
    expect(proxy.refusals()).toEqual([
      `a command has at most ${PROXY_CONNECTIONS_MAX} connections`,
    ]);
    for (const socket of sockets) socket.destroy();
  });

  test("bytes up to PROXY_BYTES_MAX", () => {
    expect(PROXY_BYTES_MAX).toBe(1024 ** 3);
  });

  test("REFUSALS_MAX reasons are kept, each once", async () => {
    const proxy = await start([host]);
    const ask = (at: number) => say(proxy, lines(`GET http://h${at}.example/ HTTP/1.1`, "Host: x"));
    await Promise.all(Array.from({ length: REFUSALS_MAX + 3 }, (_, at) => ask(at)));
    await ask(0);
    expect(proxy.refusals()).toHaveLength(REFUSALS_MAX);
  });

  test("a host that accepts no connection is a failure, at the latest after its time", async () => {
    const proxy = await start(["127.0.0.1:1"]);
    expect(await say(proxy, lines("CONNECT 127.0.0.1:1 HTTP/1.1", "Host: x"))).toMatch(
      /^HTTP\/1.1 502/,
    );
    expect(await say(proxy, lines("GET http://127.0.0.1:1/ HTTP/1.1", "Host: x"))).toMatch(
      /^HTTP\/1.1 502/,
    );
    expect(PROXY_CONNECT_MS_MAX).toBeLessThan(PROXY_IDLE_MS);
  });

  test("a closed proxy leaves no socket and no connection", async () => {
    const proxy = await start([host]);
    const socket = connect({ path: proxy.socket });
    socket.on("error", () => {});
    await once(socket, "connect");
    proxy.close();
    await once(socket.resume(), "close");
    expect(existsSync(proxy.socket)).toBe(false);
  });
});
