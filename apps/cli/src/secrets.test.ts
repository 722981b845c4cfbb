// A key for a tool, through the real command: the places where it must not appear.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const bin = fileURLToPath(new URL("../bin/turnseal.js", import.meta.url));
const loops = fileURLToPath(new URL("./__fixtures__/leaky.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-secrets-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const KEY = 'sk-live/51Hq8"Zt9+é\\Wp0aB7cD3eF';
const STORY_MS = 120_000;

function turnseal(...args: string[]): Promise<string> {
  const env = { PATH: process.env["PATH"], LEAKY_KEY: KEY, CARELESS_KEY: KEY };
  const child = spawn(process.execPath, [bin, ...args], { cwd: root, env });
  return new Promise((resolve) => {
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        said += chunk;
      });
    child.on("close", () => resolve(said));
  });
}

/** Every way to write the key and its halves, without letters that depend on what is beside it. */
function listSpellings(): [string, string][] {
  const base64 = (text: string) => Buffer.from(text).toString("base64").slice(4, -6);
  const half = KEY.length / 2;
  const parts = { whole: KEY, first: KEY.slice(0, half), second: KEY.slice(half) };
  return Object.entries(parts).flatMap(([name, text]): [string, string][] => [
    [`${name} plain`, text],
    [`${name} base64`, base64(text)],
    [`${name} base64 after one`, base64(`a${text}`)],
    [`${name} base64 after two`, base64(`ab${text}`)],
    [`${name} base64url`, base64(text).replaceAll("+", "-").replaceAll("/", "_")],
    [`${name} URL-escaped`, encodeURIComponent(text)],
    [`${name} JSON-escaped`, JSON.stringify(text).slice(1, -1)],
    [`${name} JSON-escaped twice`, JSON.stringify(JSON.stringify(text)).slice(3, -3)],
    [`${name} hex`, Buffer.from(text).toString("hex")],
    [`${name} HEX`, Buffer.from(text).toString("hex").toUpperCase()],
  ]);
}

/** The spellings that turn up in these bytes. */
function findSpellings(bytes: Uint8Array | string): string[] {
  const buffer = Buffer.from(bytes);
  return listSpellings().flatMap(([name, text]) => (buffer.includes(text) ? [name] : []));
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}

type Traces = Map<string, string | Uint8Array>;

/** Everything of a run, by where it stands. */
async function collectTraces(loop: string, ...more: string[]): Promise<Traces> {
  const store = join(root, loop);
  const about = ["--store", store];
  const traces: Traces = new Map();
  const tools = "local.repeat,local.complain,local.lack,local.careless";
  const begin = ["run", loop, "--from", loops, "--allow", tools, "--content", ...about, ...more];
  traces.set("run", await turnseal(...begin));
  const id = readdirSync(join(store, "origins"))[0]?.slice(0, 36) ?? "last";
  if (more.includes("--detach")) await untilStopped(id, about);
  traces.set("show", await turnseal("show", id, "--content", ...about));
  traces.set("show --json", await turnseal("show", id, "--content", "--json", ...about));
  traces.set("explain", await turnseal("explain", id, "--from", loops, ...about));
  traces.set("context", await turnseal("context", id, "--content", "--json", ...about));
  const file = join(root, `${loop}.json`);
  await turnseal("export", id, "--out", file, ...about);
  traces.set("export", readFileSync(file, "utf8"));
  const { content } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly content: { readonly blobs: Readonly<Record<string, string>> };
  };
  for (const [digest, text] of Object.entries(content.blobs))
    traces.set(`content ${digest}`, Buffer.from(text, "base64").toString("utf8"));
  for (const path of listFiles(store)) traces.set(path, readFileSync(path));
  return traces;
}

/** The stored content, as text. */
function listContents(traces: Traces): string[] {
  return [...traces].flatMap(([place, text]) =>
    place.startsWith("content") && typeof text === "string" ? [text] : [],
  );
}

async function untilStopped(id: string, about: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const shown = await turnseal("show", id, "--json", ...about);
    if (shown.includes('"goal-reached"')) return;
    await wait(100);
  }
  throw new Error("the run did not stop in time");
}

describe.each([[[]], [["--detach"]]])("a key that is given to tools, with %j", (more) => {
  let traces: Traces = new Map();
  beforeAll(async () => {
    traces = await collectTraces("leak", ...more);
  }, STORY_MS);
  afterAll(() => rmSync(join(root, "leak"), { recursive: true, force: true }));
  afterAll(() => rmSync(join(root, "leak.json"), { force: true }));

  test("turns up nowhere", () => {
    const found = [...traces].flatMap(([place, text]) =>
      findSpellings(text).map((spelling) => `${place}: ${spelling}`),
    );
    expect(found).toEqual([]);
    expect(traces.size).toBeGreaterThan(10);
  });

  test("is redacted where it would have: the tools were executed, and were given it", () => {
    const contents = listContents(traces).filter((text) => text.includes("[redacted]"));
    expect(contents.length).toBeGreaterThan(3);
    expect(contents.some((text) => text.includes("no: {"))).toBe(true);
    expect(traces.get("export")).toContain("leaky.http.sent");
  });

  test("is not inherited by what a tool starts", () => {
    const inherited = listContents(traces).filter((text) => text.includes('"inherited":'));
    expect(inherited.length).toBeGreaterThan(0);
    for (const text of inherited) expect(text).not.toMatch(/"inherited":"[^"]*LEAKY_KEY/);
  });

  test("a tool whose secret nobody has is not executed, and says which", () => {
    const contents = listContents(traces);
    expect(contents).toContain('"the secret NOBODY_HAS_THIS is not there"');
    expect(contents.join()).not.toContain('"executed":true');
  });
});

test(
  "the search finds a key that a tool did not declare, wherever it stands",
  async () => {
    const traces = await collectTraces("leak-openly");
    const places = [...traces].filter(([, text]) => findSpellings(text).length > 0);
    const names = places.map(([place]) => place.replace(/ .*/, ""));
    for (const place of ["run", "show", "content"]) expect(names).toContain(place);
    // Where blobs stand in the file as they are, the raw bytes show it too.
    expect(names.filter((name) => /runs\.db/.test(name))).not.toEqual([]);
    const found = new Set(places.flatMap(([, text]) => findSpellings(text)));
    for (const spelling of [
      "JSON-escaped",
      "base64",
      "base64 after one",
      "base64 after two",
      "hex",
    ])
      expect(found).toContain(`whole ${spelling}`);
    for (const spelling of ["first JSON-escaped", "second JSON-escaped", "whole URL-escaped"])
      expect(found).toContain(spelling);
  },
  STORY_MS,
);
