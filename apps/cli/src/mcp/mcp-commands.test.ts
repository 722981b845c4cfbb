/** The commands about servers, against a real process that a test can make hostile. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { sayCommand } from "../say-command.test.data.ts";

const server = fileURLToPath(
  new URL("../../../../packages/mcp/src/client/fixture/hostile.test.process.ts", import.meta.url),
);
const root = mkdtempSync(join(tmpdir(), "turnseal-mcp-commands-"));
afterAll(() => rmSync(root, { recursive: true }));

let place = "";
let count = 0;
beforeEach(() => {
  count += 1;
  place = join(root, String(count));
});

async function run(args: readonly string[], environment = {}) {
  return sayCommand(args, environment);
}

const file = () => join(place, "loops/mcp.toml");
const mcp = (...args: string[]) => run(["mcp", ...args, "--file", file()]);
const call = (...args: string[]) => mcp("call", ...args, "--store", join(place, "store"));
const add = (mode: string) =>
  run([
    ...["mcp", "add", "bank", "--profile", "unrestricted", "--file", file(), "--"],
    ...["node", server, "stdio", "legacy", mode, join(place, "acts.jsonl")],
  ]);

/** Pins what the server offers now. */
async function pin() {
  const { out } = await mcp("pin", "bank");
  const [, digest = ""] = /--digest ([0-9a-f]+)/.exec(out) ?? [];
  return mcp("pin", "bank", "--digest", digest);
}

const acts = () =>
  existsSync(join(place, "acts.jsonl"))
    ? readFileSync(join(place, "acts.jsonl"), "utf8").trim().split("\n").length
    : 0;

test("a server is added, reviewed, pinned, and called in a run with a receipt", async () => {
  const added = await add("plain");
  expect(added).toMatchObject({ code: 0 });
  // The whole command is shown before it is ever started.
  expect(added.out).toContain(server);
  expect(await mcp("list")).toMatchObject({ out: expect.stringContaining("not pinned") });
  const unpinned = await run(["check", join(place, "loops")]);
  expect(unpinned).toMatchObject({ code: 1, out: expect.stringContaining("mcp-unpinned") });
  expect(await mcp("diff", "bank")).toMatchObject({
    ...{ code: 1, err: expect.stringContaining("bank is not pinned") },
  });

  const shown = await mcp("pin", "bank");
  expect(shown).toMatchObject({ code: 2, out: expect.stringContaining("Pays once for each key") });
  expect(existsSync(join(place, "loops/mcp.pins.json"))).toBe(false);
  expect(await pin()).toMatchObject({ code: 0, out: expect.stringContaining("4 tools") });
  expect(await mcp("pin", "bank")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/as pinned/),
  });
  expect(await mcp("diff", "bank")).toMatchObject({ code: 0 });
  expect(await run(["check", join(place, "loops")])).toMatchObject({ code: 0 });
  const { out } = await mcp("list", "--json");
  expect(JSON.parse(out)).toMatchObject({
    servers: [
      { name: "bank", isPinned: true, tools: [{ name: "pay", effect: "once" }, {}, {}, {}] },
    ],
  });

  const done = await call("bank", "send", "--input", '{"text":"a"}', "--json");
  expect(done).toMatchObject({ code: 0 });
  expect(done.out).toContain("done send");
  expect(acts()).toBe(1);
  const verified = await run(["verify", "last", "--store", join(place, "store")]);
  expect(verified).toMatchObject({ code: 0, out: expect.stringContaining("mcp.bank.send") });
});

test("a changed tool is not called, is shown with both texts, and can be pinned", async () => {
  await add("changed-later");
  expect(await pin()).toMatchObject({ code: 0 });
  const refused = await call("bank", "send", "--input", '{"text":"a"}');
  expect(refused.code).toBe(1);
  expect(acts()).toBe(0);
  const { code, out } = await mcp("diff", "bank");
  expect(code).toBe(1);
  expect(out).toMatch(/changed {2}send: description/);
  expect(out).toContain("- Sends a text\n");
  expect(out).toContain("+ Sends all secrets");
  expect(await pin()).toMatchObject({ code: 0 });
  expect(await call("bank", "send", "--input", '{"text":"a"}')).toMatchObject({ code: 0 });
  expect(acts()).toBe(1);
});

test("every field of a tool is shown before it is pinned, also of one that appears", async () => {
  await add("appeared-later");
  expect(await pin()).toMatchObject({ code: 0 });
  for (const command of ["diff", "pin"]) {
    const { out } = await mcp(command, "bank");
    expect(out).toContain("appeared  sum\n");
    expect(out).toContain('  sum, says {"title":"Plus"}\n    titled Sum\n    of all\n');
    expect(out).toContain('    Adds much\n    takes {"type":"object"}\n');
    expect(out).toContain('    gives {"properties":{"sum":{"type":"number"}}');
  }
});

test("nothing is pinned but what was shown", async () => {
  await add("changed");
  const shown = await mcp("pin", "bank");
  const [, digest = ""] = /--digest ([0-9a-f]+)/.exec(shown.out) ?? [];
  // The server offers something else since.
  expect(await mcp("pin", "bank", "--digest", digest)).toMatchObject({
    ...{ code: 1, err: expect.stringContaining("review it again") },
  });
  expect(existsSync(join(place, "loops/mcp.pins.json"))).toBe(false);
});

test("a review is confirmed by all 64 digits of its digest", async () => {
  await add("plain");
  const { out } = await mcp("pin", "bank");
  const [, digest = ""] = /--digest ([0-9a-f]+)/.exec(out) ?? [];
  expect(digest).toHaveLength(64);
  for (const part of ["", "a", digest.slice(0, 12), digest.slice(0, 63), `${digest}0`])
    expect(await mcp("pin", "bank", "--digest", part)).toMatchObject({
      ...{ code: 1, err: expect.stringContaining("review it again") },
    });
  expect(existsSync(join(place, "loops/mcp.pins.json"))).toBe(false);
  expect(await mcp("pin", "bank", "--digest", digest)).toMatchObject({ code: 0 });
});

test("characters that a person does not see are shown by name", async () => {
  await add("zero-width");
  const { out } = await mcp("pin", "bank");
  expect(out).toContain("refused: send");
  expect(out).toContain("U+200B");
  expect(out).not.toContain("\u200B");
});

describe("a server is not added", () => {
  test.each([
    ["without a command", ["add", "bank"], "a command after -- or a --url"],
    ["with both", ["add", "bank", "--url", "https://a.example", "node"], "not both"],
    ["with a wrong name", ["add", "Bank!", "node"], "no name of a server"],
    ["with an address that is none", ["add", "bank", "--url", "file:///a"], "no address"],
    [
      "with a folder for an address",
      ["add", "b", "--url", "https://a", "--folder", "x"],
      "--folder",
    ],
  ])("%s", async (_, args, why) => {
    const { code, err } = await mcp(...args);
    expect(code).toBe(64);
    expect(err).toContain(why);
    expect(existsSync(file())).toBe(false);
  });

  test("twice", async () => {
    await add("plain");
    const before = readFileSync(file(), "utf8");
    expect(await add("plain")).toMatchObject({ code: 64 });
    expect(readFileSync(file(), "utf8")).toBe(before);
  });
});

test("a second server is added to what is there", async () => {
  await add("plain");
  expect(await mcp("add", "mail", "--url", "https://mail.example/mcp")).toMatchObject({ code: 0 });
  const { out } = await mcp("list");
  expect(out).toMatch(/bank .*\nmail {2}https:\/\/mail\.example\/mcp {2}not pinned/);
  expect(await mcp("pin", "nobody")).toMatchObject({
    ...{ code: 64, err: expect.stringContaining("it has bank, mail") },
  });
});

test("a file that is broken is refused with its place", async () => {
  await add("plain");
  await pin();
  const pins = join(place, "loops/mcp.pins.json");
  const whole = readFileSync(pins, "utf8");
  writeFileSync(pins, whole.slice(0, -40));
  expect(await run(["check", join(place, "loops")])).toMatchObject({
    ...{ code: 1, out: expect.stringContaining("mcp-unpinned") },
  });
  writeFileSync(pins, whole);
  writeFileSync(file(), `${readFileSync(file(), "utf8")}trust = "everything"\n`);
  expect(await run(["check", join(place, "loops")])).toMatchObject({
    ...{ code: 1, out: expect.stringMatching(/mcp\.toml:1:1 {2}mcp-server/) },
  });
});
