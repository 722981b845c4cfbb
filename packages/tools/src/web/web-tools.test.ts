// Requests to a real server on this machine, which only the operator's list makes reachable.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Term } from "@turnseal/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlace, openDesk, type Step } from "../agent-desk.test.data.ts";
import { grantTerms } from "../terms/grant-terms.ts";
import { isPublicAddress, resolveHost } from "./address-guard.ts";
import { htmlToText } from "./html-to-text.ts";
import {
  ANSWER_BYTES_MAX,
  BODY_LENGTH_MAX,
  HEADERS_MAX,
  REDIRECTS_MAX,
  REQUEST_MS_MAX,
  TEXT_LENGTH_MAX,
  URL_LENGTH_MAX,
} from "./limits.ts";
import { destinationOf, parseUrl } from "./send-request.ts";
import { webTools } from "./web-tools.ts";

let place: ReturnType<typeof createPlace>;
let server: Server;
let host: string;
let seen: { readonly path: string; readonly key: unknown; readonly body: string }[];
beforeEach(async () => {
  place = createPlace();
  seen = [];
  server = createServer((request, response) => void answer(request, response)).listen(
    0,
    "127.0.0.1",
  );
  await new Promise((resolve) => server.once("listening", resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  place.remove();
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const part of request as AsyncIterable<Buffer>) body += part.toString();
  const { url = "", headers } = request;
  seen.push({ path: url, key: headers["idempotency-key"], body });
  const [, what = "", rest = ""] = url.split("/");
  if (what === "to") response.writeHead(302, { location: decodeURIComponent(rest) }).end();
  else if (what === "hop")
    response
      .writeHead(302, { location: rest === "0" ? "/page" : `/hop/${Number(rest) - 1}` })
      .end();
  else if (what === "zip") response.writeHead(200, { "content-encoding": "gzip" }).end("x");
  else if (what === "image") response.writeHead(200, { "content-type": "image/png" }).end("xyz");
  else if (what === "long")
    response.writeHead(200, { "content-type": "text/plain" }).end("x".repeat(Number(rest)));
  else
    response
      .writeHead(200, { "content-type": "text/html" })
      .end("<title>t</title><h1>Hello</h1><script>bad()</script><p>a &amp; b</p>");
}

const call =
  (tool: string, input: object): Step =>
  () => ({ tool, input });
function open(terms: readonly Term[] = [term()], privateHosts = [host]) {
  const { fetch, request } = webTools({ privateHosts });
  return openDesk({ tools: [fetch, request], terms, folder: place.folder });
}
const term = (destinations = [host], verbs: Parameters<typeof grantTerms.hosts>[1] = {}) =>
  grantTerms.hosts(destinations, { verbs: ["read", "create"], ...verbs });

describe("a page is read as text", () => {
  test("with redirects within its host", async () => {
    const { told } = await open().work(
      call("web.fetch", { url: `http://${host}/page` }),
      call("web.fetch", { url: `http://${host}/hop/${REDIRECTS_MAX - 1}` }),
      call("web.fetch", { url: `http://${host}/hop/${REDIRECTS_MAX}` }),
      call("web.fetch", { url: `http://${host}/image` }),
      call("web.fetch", { url: `http://${host}/zip` }),
    );
    expect(told).toMatchObject([
      { status: 200, text: "t\n\nHello\n\na & b", isCut: false },
      { text: expect.stringContaining("Hello") },
      { error: "TOOL_FAILED" },
      { text: "(3 bytes of image/png)" },
      { error: "TOOL_FAILED" },
    ]);
  });

  test("and a redirect to another host is answered, and not followed", async () => {
    const other = "http://169.254.169.254/latest/meta-data/";
    const { told } = await open().work(
      call("web.fetch", { url: `http://${host}/to/${encodeURIComponent(other)}` }),
    );
    expect(told).toMatchObject([{ status: 302, text: "", location: other }]);
    expect(seen).toHaveLength(1);
  });
});

test("a request is sent once, with the key of its action", async () => {
  const desk = open();
  const { run, told } = await desk.work(
    call("http.request", { url: `http://${host}/page`, method: "POST", body: "{}" }),
  );
  expect(told).toMatchObject([{ status: 200 }]);
  expect(seen).toEqual([{ path: "/page", key: expect.stringMatching(/./), body: "{}" }]);
  expect(await desk.findings(run)).toEqual([]);
});

describe("an attack is refused before anything is sent", () => {
  const port = () => host.split(":")[1];
  const urls: readonly (readonly [string, () => string])[] = [
    ["loopback", () => `http://127.0.0.1:${port()}/`],
    ["loopback by name", () => `http://localhost:${port()}/`],
    ["a hexadecimal address", () => `http://0x7f000001:${port()}/`],
    ["an octal address", () => `http://0177.0.0.1:${port()}/`],
    ["an address as one number", () => `http://2130706433:${port()}/`],
    ["a short address", () => `http://127.1:${port()}/`],
    ["a wide digit", () => `http://１27.0.0.1:${port()}/`],
    ["version 6", () => `http://[::1]:${port()}/`],
    ["version 4 in version 6", () => `http://[::ffff:127.0.0.1]:${port()}/`],
    ["no address", () => `http://0.0.0.0:${port()}/`],
    ["metadata", () => "http://169.254.169.254/latest/meta-data/"],
    ["a private network", () => "http://10.0.0.1/"],
  ];
  test.each(urls)("%s", async (_, url) => {
    const hosts = [destinationOf(parseUrl(url()))];
    const { told } = await open([term(hosts)], []).work(call("web.fetch", { url: url() }));
    expect(told).toMatchObject([
      { error: "TOOL_FAILED", reason: expect.stringContaining("private") },
    ]);
    expect(seen).toEqual([]);
  });

  test.each([
    ["a file", "file:///etc/passwd"],
    ["a user", "http://ada:secret@example.com/"],
    ["no URL", "example"],
    ["a long one", `http://example.com/${"x".repeat(URL_LENGTH_MAX)}`],
  ])("%s", (_, url) => {
    expect(() => parseUrl(url)).toThrow("URL");
  });

  test("another host, another port, another method, and none", async () => {
    const { told } = await open([term([host], { verbs: ["read"] })]).work(
      call("web.fetch", { url: `http://${host}/page` }),
      call("web.fetch", { url: "http://127.0.0.1:1/" }),
      call("web.fetch", { url: "https://example.com/" }),
      call("http.request", { url: `http://${host}/page`, method: "POST" }),
      call("web.fetch", { url: "no URL" }),
    );
    expect(told).toMatchObject([
      { status: 200 },
      ...[1, 2, 3, 4].map(() => ({ error: "POLICY_DENIED" })),
    ]);
    expect(seen).toHaveLength(1);
  });

  test.each([["host"], ["content-length"], ["Transfer-Encoding"], ["a b"], ["idempotency-key"]])(
    "a header %s",
    async (name) => {
      const input = { url: `http://${host}/page`, headers: { [name]: "1" } };
      const { told } = await open().work(call("http.request", input));
      expect(told).toMatchObject([{ error: "TOOL_FAILED" }]);
      expect(seen).toEqual([]);
    },
  );
});

test.each([
  ["8.8.8.8", true],
  ["100.64.0.1", false],
  ["172.15.0.1", true],
  ["172.31.255.255", false],
  ["192.168.1.1", false],
  ["224.0.0.1", false],
  ["2606:4700:4700::1111", true],
  ["fe80::1%eth0", false],
  ["fc00::1", false],
  ["64:ff9b::a00:1", false],
  ["2002:7f00:1::", false],
  ["2001:0:0:1::1", false],
  ["name", false],
])("%s is public: %s", (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

test("the checked address is the one that is connected to", async () => {
  expect(await resolveHost("127.0.0.1", true)).toMatchObject({ address: { address: "127.0.0.1" } });
  expect(await resolveHost("localhost", false)).toMatchObject({ kind: "refused" });
  expect(REQUEST_MS_MAX).toBeLessThanOrEqual(30_000);
});

test("NAME_LENGTH_MAX and TAG_LENGTH_MAX bound a tag, and not a page", () => {
  expect(htmlToText(`<p ${"x".repeat(5_000)}>a<${"b".repeat(40)}>c`)).toBe("ac");
});

test("answers, bodies and headers have limits", async () => {
  const fetched = async (length: number) =>
    open().call("web.fetch", { url: `http://${host}/long/${length}` });
  expect(await fetched(TEXT_LENGTH_MAX)).toMatchObject({ isCut: false });
  expect(await fetched(TEXT_LENGTH_MAX + 1)).toMatchObject({ isCut: true });
  expect(await fetched(ANSWER_BYTES_MAX + 1)).toMatchObject({ isCut: true });
  const sent = async (input: object) =>
    (await open().call("http.request", { url: `http://${host}/`, method: "POST", ...input }))[
      "code"
    ];
  expect(await sent({ body: "x".repeat(BODY_LENGTH_MAX) })).toBeUndefined();
  expect(await sent({ body: "x".repeat(BODY_LENGTH_MAX + 1) })).toBe("INPUT_VALIDATION_FAILED");
  const headers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, "1"]));
  expect(await sent({ headers: headers(HEADERS_MAX) })).toBeUndefined();
  expect(await sent({ headers: headers(HEADERS_MAX + 1) })).toBe("INPUT_VALIDATION_FAILED");
});

test.each([
  ["<p>one<br>two</p>", "one\ntwo"],
  ["<ul><li>a<li>b</ul>", "- a\n- b"],
  ["a < b &#x41;&#66; &unknown; <!-- <p> -->c", "a < b AB &unknown; c"],
  ["<style>p{}</STYLE>x<script>if (a</b>) {}</script>y", "xy"],
  ["<script>never closed", ""],
  ["<p title='>'>x", "'>x"],
])("%j reads %j", (html, text) => {
  expect(htmlToText(html)).toBe(text);
});

test("a hostile page takes linear time", () => {
  const started = performance.now();
  for (const piece of ["<", "<!--", "<script>", "</script", "&", "<div "])
    htmlToText(`${piece.repeat(500_000)}>`);
  expect(performance.now() - started).toBeLessThan(20_000);
});
