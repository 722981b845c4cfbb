// Commands with a network in a real sandbox: each way past the proxy stands beside an allowed twin.
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createSocket, type Server as Socket } from "node:net";
import { join } from "node:path";
import type { JsonValue } from "@turnseal/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlace, openDesk } from "../agent-desk.test.data.ts";
import type { CommandNetwork } from "../proxy/network-reach.ts";
import { bubblewrap } from "../sandbox/bubblewrap.ts";
import { unsandboxed } from "../sandbox/unsandboxed.ts";
import { grantTerms } from "../terms/grant-terms.ts";
import { commandTools } from "./command-tools.ts";

const OWNER = 65_532;
const ALL = ["read", "create", "update", "delete"] as const;
let place: ReturnType<typeof createPlace>;
let allowed: Listener;
let other: Listener;
const open: (Server | Socket)[] = [];
beforeEach(async () => {
  place = createPlace();
  chmodSync(join(place.folder, ".."), 0o755);
  writeFileSync(join(place.folder, "a.txt"), "one\n");
  if (process.getuid?.() === 0) chownSync(place.folder, OWNER, OWNER);
  other = await listen("127.0.0.2", 0);
  allowed = await listen("127.0.0.1", other.port);
});
afterEach(() => {
  for (const server of open.splice(0)) server.close();
  place.remove();
});

interface Listener {
  readonly host: string;
  readonly port: number;
  readonly seen: string[];
}

async function listen(address: string, at: number): Promise<Listener> {
  const seen: string[] = [];
  const server = createServer(({ method, url }, response) => {
    seen.push(`${method} ${url}`);
    if (url === "/away") response.writeHead(302, { location: `http://${other.host}/` }).end();
    else if (url === "/within") response.writeHead(302, { location: "/page" }).end();
    else response.end("reached");
  }).listen(at, address);
  open.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return { host: `${address}:${port}`, port, seen };
}

function openNetwork(network: Partial<CommandNetwork> = {}, sandbox = bubblewrap()) {
  const hosts = [allowed.host];
  const { shell } = commandTools({
    ...{ root: "w", folder: place.folder, sandbox, profile: "network" },
    network: { hosts, privateHosts: hosts, ...network },
  });
  const commands = grantTerms.commands("w", { profile: "network", stage: sandbox.stage });
  const terms = [commands, grantTerms.hosts(hosts, { verbs: network.verbs ?? ALL })];
  return openDesk({ tools: [shell], terms, folder: place.folder });
}

const CURL = "curl -sS -f --max-time 5";
const python = (code: string) => `python3 -c 'import socket as s; ${code}'`;
const raw = (text: string) => `exec 3<>/dev/tcp/127.0.0.1/3128; printf '${text}' >&3; cat <&3`;
const isOk = `| tee $TMPDIR/o; grep -q reached $TMPDIR/o`;
const bash = (line: string) => `timeout 5 bash -c "${line.replaceAll('"', '\\"')}" ${isOk}`;

/** HOST is the allowed host, OTHER another of this machine, PORT the port of both. */
const attacks: readonly (readonly [name: string, line: string, twin: string, rule?: string])[] = [
  ["another host", `${CURL} http://OTHER/`, `${CURL} http://HOST/`, "network.hosts"],
  ["another port", `${CURL} http://127.0.0.1:1/`, `${CURL} http://HOST/a`, "network.hosts"],
  ["a tunnel to another", `${CURL} -p http://OTHER/`, `${CURL} -p http://HOST/`, "network.hosts"],
  [
    "a tunnel to a database",
    `${CURL} -p http://127.0.0.1:5432/`,
    `${CURL} -p http://HOST/b`,
    "network.hosts",
  ],
  [
    "a tunnel to an address",
    `${CURL} -p https://1.1.1.1/`,
    `${CURL} -p http://HOST/`,
    "network.hosts",
  ],
  ["no proxy", `${CURL} --noproxy '*' http://HOST/`, `${CURL} http://HOST/`],
  ["no variables", `env -i ${CURL} http://HOST/`, `${CURL} -x $http_proxy http://HOST/`],
  ["its socket as a file", "cat /run/turnseal/proxy", "test -S /run/turnseal/proxy"],
  ["version 6", `${CURL} -g http://[::1]:PORT/`, `${CURL} http://HOST/`, "network.hosts"],
  [
    "version 4 within 6",
    `${CURL} -g http://[::ffff:127.0.0.2]:PORT/`,
    `${CURL} http://HOST/`,
    "network.hosts",
  ],
  ["a number", `${CURL} http://2130706434:PORT/`, `${CURL} http://HOST/`, "network.hosts"],
  ["the metadata", `${CURL} http://169.254.169.254/`, `${CURL} http://HOST/`, "network.hosts"],
  ["a local name", `${CURL} http://localhost:PORT/`, `${CURL} http://HOST/`, "network.hosts"],
  [
    "a redirect away",
    `${CURL} -L http://HOST/away`,
    `${CURL} -L http://HOST/within`,
    "network.hosts",
  ],
  ["a user as a host", `${CURL} http://127.0.0.1@OTHER/`, `${CURL} http://HOST/`, "network.hosts"],
  [
    "another Host",
    bash(raw("GET http://OTHER/ HTTP/1.0\\r\\nHost: HOST\\r\\n\\r\\n")),
    bash(raw("GET http://HOST/ HTTP/1.0\\r\\nHost: OTHER\\r\\n\\r\\n")),
    "network.hosts",
  ],
  [
    "no URL",
    bash(raw("GET / HTTP/1.0\\r\\nHost: HOST\\r\\n\\r\\n")),
    bash(raw("GET http://HOST/ HTTP/1.0\\r\\n\\r\\n")),
    "absolute URL",
  ],
  ["another protocol", bash(raw("\\x05\\x01\\x00")), `${CURL} http://HOST/`, "valid HTTP"],
  ["SOCKS", `${CURL} --socks5 127.0.0.1:3128 http://HOST/`, `${CURL} http://HOST/`, "valid HTTP"],
  ["FTP", `${CURL} ftp://HOST/`, `${CURL} http://HOST/`, "plain HTTP only"],
  ["a packet", "bash -c 'echo x > /dev/udp/8.8.8.8/53'", `${CURL} http://HOST/`],
  ["a name server", "getent hosts example.com", "getent passwd root"],
  [
    "a raw socket",
    python("s.socket(s.AF_INET, s.SOCK_RAW, 1)"),
    python("s.socket(s.AF_INET, s.SOCK_STREAM)"),
  ],
  [
    "a socket of frames",
    python("s.socket(s.AF_PACKET, s.SOCK_RAW)"),
    python("s.socket(s.AF_UNIX)"),
  ],
  [
    "an abstract socket",
    python('s.socket(s.AF_UNIX).connect("\\0ABSTRACT")'),
    python('s.socket(s.AF_UNIX).connect("/run/turnseal/proxy")'),
  ],
  [
    "a socket beside",
    python('s.socket(s.AF_UNIX).connect("OUTSIDE/socket")'),
    python('s.socket(s.AF_UNIX).connect("/run/turnseal/proxy")'),
  ],
  ["an interface", "ip link add x type dummy", "cat /proc/net/dev"],
  ["a network namespace", "unshare -n true", "true"],
  ["another socket in its place", "rm /run/turnseal/proxy", "rm a.txt || true"],
  ["another Node in its place", "echo x > /run/turnseal/node", "echo x > b.txt"],
];

const exitOf = (value: JsonValue | undefined) => (value as { exit?: number }).exit === 0;
function fill(line: string): string {
  return line
    .replaceAll("HOST", allowed.host)
    .replaceAll("OTHER", other.host)
    .replaceAll("PORT", String(other.port))
    .replaceAll("OUTSIDE", place.outside)
    .replaceAll("ABSTRACT", `turnseal-test-${process.pid}`);
}
const call = (command: string) => () => ({
  tool: "process.shell",
  input: { command: fill(command), timeoutMs: 20_000 },
});

describe("an attack fails and is sealed, and its twin runs", () => {
  test.each(attacks)("%s: %s, %s", async (_, line = "", twin = "", rule) => {
    for (const path of [join(place.outside, "socket"), `\0turnseal-test-${process.pid}`]) {
      const server = createSocket().listen(path);
      open.push(server);
      await new Promise((resolve) => server.once("listening", resolve));
    }
    chmodSync(place.outside, 0o777);
    chmodSync(join(place.outside, "socket"), 0o777);
    const desk = openNetwork();
    const { run, told } = await desk.work(call(line), call(twin));
    expect(told.map(exitOf), JSON.stringify(told)).toEqual([false, true]);
    expect(other.seen).toEqual([]);
    const [{ refused = [] } = {}, twinEnd = {}] = told as { refused?: string[] }[];
    if (rule !== undefined) expect(refused).toEqual([expect.stringContaining(rule)]);
    else expect(refused).toEqual([]);
    expect(twinEnd).not.toHaveProperty("refused");
    expect(await desk.readSeal(run)).toMatchObject({ isSealed: true });
  });

  test("a verb that the operator leaves out", async () => {
    const desk = openNetwork({ verbs: ["read"] });
    const { told } = await desk.work(
      call(`${CURL} -d x http://HOST/`),
      call(`${CURL} -p http://HOST/`),
      call(`${CURL} http://HOST/`),
    );
    expect(told).toMatchObject([
      { refused: ["POST needs the verb `create`"] },
      { refused: [expect.stringContaining("a tunnel hides its methods")] },
      { exit: 0, stdout: "reached" },
    ]);
    expect(allowed.seen).toEqual(["GET /"]);
  });

  test("Node, Python and curl find the proxy, and a command writes files", async () => {
    const { told } = await openNetwork().work(
      call("python3 -c 'import urllib.request as u; print(u.urlopen(\"http://HOST/\").read())'"),
      call(`/run/turnseal/node -e 'fetch("http://HOST/").then((r) => r.text()).then(console.log)'`),
      call(`${CURL} -o page.txt http://HOST/`),
      call("sh -c 'exit 7'"),
      call("no-such-program"),
    );
    expect(told).toMatchObject([
      ...[{ stdout: "b'reached'\n" }, { stdout: "reached\n" }, { exit: 0 }],
      ...[{ exit: 7 }, { exit: 127 }],
    ]);
    expect(readFileSync(join(place.folder, "page.txt"), "utf8")).toBe("reached");
  });

  test("connections that are reset, or too many, do not end the command", async () => {
    const dial = 's.create_connection(("127.0.0.1", 3128))';
    const reset = "c.setsockopt(s.SOL_SOCKET, s.SO_LINGER, bytes([1, 0, 0, 0, 0, 0, 0, 0]))";
    const each = `for c in [${dial} for _ in range(700)]: c.send(b"GET "); ${reset}; c.close()`;
    const { told } = await openNetwork().work(
      call(`python3 -c 'import socket as s\n${each}' && sleep 0.5 && ${CURL} http://HOST/`),
    );
    expect(told).toMatchObject([{ exit: 0, stdout: "reached" }]);
  });
});

describe("before anything runs", () => {
  test.each([
    ["another host", () => [grantTerms.hosts([other.host], { verbs: ALL })]],
    ["one verb fewer", (host: string) => [grantTerms.hosts([host], { verbs: ["read"] })]],
    ["no host", () => []],
  ])("a grant with %s denies the command", async (_, hosts) => {
    const { shell } = commandTools({
      ...{ root: "w", folder: place.folder, sandbox: bubblewrap(), profile: "network" },
      network: { hosts: [allowed.host], privateHosts: [allowed.host] },
    });
    const terms = [grantTerms.commands("w", { profile: "network" }), ...hosts(allowed.host)];
    const desk = openDesk({ tools: [shell], terms, folder: place.folder });
    const { run, told } = await desk.work(call("touch b"));
    expect(told).toMatchObject([{ error: "POLICY_DENIED" }]);
    expect(existsSync(join(place.folder, "b"))).toBe(false);
    expect(await desk.readSeal(run)).toMatchObject({ isSealed: true });
  });

  test.each([
    ["bubblewrap that is not there", () => bubblewrap({ program: "/no/bwrap" })],
    ["no sandbox", unsandboxed],
  ])("%s: refused", async (_, sandbox) => {
    const { told } = await openNetwork({}, sandbox()).work(call("touch b"));
    expect(told).toMatchObject([{ error: "TOOL_FAILED" }]);
    expect(readdirSync(place.folder)).toEqual(["a.txt"]);
  });

  test("a profile without hosts, and hosts without the profile", () => {
    const options = { root: "w", folder: place.folder, sandbox: bubblewrap() };
    const network = { hosts: ["example.com"] };
    expect(() => commandTools({ ...options, profile: "network" })).toThrow("`network`");
    expect(() => commandTools({ ...options, network })).toThrow("`network`");
    expect(() => commandTools({ ...options, profile: "network", network })).not.toThrow();
  });

  test("no socket of a proxy is left", async () => {
    const { TMPDIR } = process.env;
    chmodSync(place.outside, 0o755);
    process.env["TMPDIR"] = place.outside;
    const during = call("test -S /run/turnseal/proxy");
    const { told } = await openNetwork().work(during, call("kill -9 $$"), call("sleep 1"));
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
    expect(told.map(exitOf)).toEqual([true, false, true]);
    expect(readdirSync(place.outside)).toEqual([]);
  });
});
