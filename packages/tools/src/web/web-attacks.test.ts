// Addresses that a model may not reach, in every spelling, by redirects and by names that change.
import dns from "node:dns/promises";
import { createServer, type Server } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlace, openDesk } from "../agent-desk.test.data.ts";
import { grantTerms } from "../terms/grant-terms.ts";
import { destinationOf } from "./send-request.ts";
import { webTools } from "./web-tools.ts";

const resolver = dns.lookup;
let asked = 0;
/** The resolver of the system gives these answers, as a name server of an attacker would. */
function resolveTo(...answers: readonly (readonly string[])[]): void {
  asked = 0;
  const answer = async () => {
    const found = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    return found.map((address) => ({ address, family: 4 }));
  };
  dns.lookup = answer as never;
  syncBuiltinESMExports();
}

interface Listener {
  readonly host: string;
  readonly port: number;
  readonly seen: string[];
  readonly server: Server;
}

let place: ReturnType<typeof createPlace>;
let allowed: Listener;
let target = "/";
const open: Listener[] = [];
beforeEach(async () => {
  place = createPlace();
  allowed = await listen("127.0.0.1", 0);
});
afterEach(() => {
  dns.lookup = resolver;
  syncBuiltinESMExports();
  for (const { server } of open.splice(0)) server.close();
  place.remove();
});

async function listen(address: string, at: number): Promise<Listener> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? "");
    if (request.url === "/to") response.writeHead(302, { location: target }).end();
    else response.writeHead(200, { "content-type": "text/plain" }).end("reached");
  }).listen(at, address);
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const listener = { host: `${address}:${port}`, port, seen, server };
  open.push(listener);
  return listener;
}

/** Fetches each, under a grant that allows every one of their hosts. */
async function fetchAll(...urls: readonly string[]) {
  const hosts = urls.flatMap((each) => {
    const url = URL.parse(each);
    return url === null || url.hostname === "" ? [] : [destinationOf(url)];
  });
  const { fetch } = webTools({ privateHosts: [allowed.host] });
  const terms = [grantTerms.hosts([...new Set([...hosts, allowed.host])])];
  const desk = openDesk({ tools: [fetch], terms, folder: place.folder });
  const { run, told } = await desk.work(
    ...urls.map((url) => () => ({ tool: "web.fetch", input: { url } })),
  );
  return { told, ...(await desk.readSeal(run)) };
}

const addresses = [
  ...[
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[0:0:0:0:0:0:0:1]",
  ],
  ...[
    "[fe80::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
  ],
  ...["[::ffff:a9fe:a9fe]", "[2001:db8::1]", "[100::1]", "[2001::7f00:1]", "[fec0::1]"],
  ...[
    "localhost",
    "LOCALHOST",
    "localhost.",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "0",
    "0.0.0.0",
    "127.127.127.127",
  ],
  ...[
    "0x7f.1",
    "0x7f000001",
    "017700000001",
    "0177.0.0.1",
    "2130706433",
    "１２７.0.0.1",
    "127。0。0。1",
  ],
  ...[
    "%31%32%37.0.0.1",
    "①②⑦.0.0.1",
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
  ],
  ...["169.254.170.2", "100.100.100.200", "192.0.0.192", "10.0.0.1", "172.16.0.1", "192.168.0.1"],
  ...["100.64.0.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "1"],
];
describe("an address is refused and sealed, and the allowed host beside it is reached", () => {
  test.each(addresses)("%s", async (address) => {
    const others = `http://${address}:${allowed.port}/`;
    // The exact name and port are what the operator allowed, and another port is not.
    const url = destinationOf(new URL(others)) === allowed.host ? `http://127.0.0.1:1/` : others;
    const { told, failed, isSealed } = await fetchAll(url, `http://${allowed.host}/`);
    expect(told).toMatchObject([
      { error: "TOOL_FAILED", reason: expect.stringContaining("address") },
      { text: "reached" },
    ]);
    expect([failed, isSealed]).toEqual([1, true]);
    expect(allowed.seen).toEqual(["/"]);
  });

  test.each([
    ["a file", "file:///etc/passwd"],
    ["a socket", "unix:///run/docker.sock"],
    ["another scheme", "gopher://127.0.0.1/"],
    ["a page of data", "data:text/html,x"],
    ["no host", "http://"],
    ["a user", "http://ada@ALLOWED/"],
    ["a user that looks like a host", "http://example.com@ALLOWED/"],
    ["a line end", "http://ALLOWED\r\nHost: x/"],
    ["an encoded slash", "http://ALLOWED%2f@example.com/"],
  ])("%s", async (_, url) => {
    const given = url.replace("ALLOWED", allowed.host);
    const { told, failed, isSealed } = await fetchAll(given, `http://${allowed.host}/`);
    expect(told).toMatchObject([{ error: expect.any(String) }, { text: "reached" }]);
    expect([failed, isSealed]).toEqual([1, true]);
    expect(allowed.seen).toEqual(["/"]);
  });
});

test.each([
  ...["http://169.254.169.254/latest/meta-data/", "http://[::1]/", "//localhost/", "https://HOST/"],
  ...["file:///etc/passwd", "http://HOST@10.0.0.1/", "http://127.0.0.1:1/", "http://2130706433/"],
])("a redirect to %s is not followed, and one within the host is", async (to) => {
  target = to.replace("HOST", allowed.host);
  const first = await fetchAll(`http://${allowed.host}/to`);
  expect(first.told).toMatchObject([{ status: 302, text: "", location: expect.any(String) }]);
  expect(allowed.seen).toEqual(["/to"]);
  target = "/page";
  const second = await fetchAll(`http://${allowed.host}/to`);
  expect(second.told).toMatchObject([{ status: 200, text: "reached" }]);
  expect([first.isSealed, second.isSealed]).toEqual([true, true]);
});

describe("a name whose address changes", () => {
  test("connects to the checked address alone, which is looked up once", async () => {
    const other = await listen("127.0.0.2", allowed.port);
    resolveTo(["127.0.0.1"], ["127.0.0.2"]);
    const host = `rebind.example:${allowed.port}`;
    const { fetch } = webTools({ privateHosts: [host] });
    const desk = openDesk({
      tools: [fetch],
      terms: [grantTerms.hosts([host])],
      folder: place.folder,
    });
    const { told } = await desk.work(() => ({
      tool: "web.fetch",
      input: { url: `http://${host}/` },
    }));
    expect(told).toMatchObject([{ text: "reached" }]);
    expect([allowed.seen, other.seen]).toEqual([["/"], []]);
    expect(asked).toBe(1);
  });

  test.each([
    ["private now, public later", ["127.0.0.1"]],
    ["public and private", ["93.184.216.34", "127.0.0.1"]],
    ["private and public", ["10.0.0.1", "93.184.216.34"]],
    ["none", []],
  ])("%s: refused", async (_, found) => {
    resolveTo(found, ["93.184.216.34"]);
    const { told, isSealed } = await fetchAll(`http://rebind.example:${allowed.port}/`);
    expect(told).toMatchObject([{ error: "TOOL_FAILED" }]);
    expect([allowed.seen, isSealed]).toEqual([[], true]);
    expect(asked).toBe(1);
  });
});
