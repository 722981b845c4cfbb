// A run in its views, and as an evidence pack: what is written, and what of it is refused later.

import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@turnseal/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sayCommand } from "../say-command.test.data.ts";

const loops = fileURLToPath(new URL("../__fixtures__/payments.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-views-"));
afterAll(() => rmSync(root, { recursive: true }));
const store = join(root, "store");
const pack = join(root, "pack");

async function run(...args: readonly string[]) {
  return sayCommand([...args, "--store", store]);
}

const linesOf = (text: string): JsonObject[] =>
  text
    .trimEnd()
    .split("\n")
    .map((each) => JSON.parse(each) as JsonObject);

let ledger = "";

beforeAll(async () => {
  ledger = join(root, "ledger.txt");
  const input = JSON.stringify({ payment: { ledger, actMs: 0 } });
  await run("run", "refund", "--from", loops, "--input", input, "--allow", "local.pay-once");
  expect((await run("export", "last", "--as", "evidence", "--out", pack)).code).toBe(0);
});

describe("a view", () => {
  test.each(["lsem", "session", "mplp"])("%s has a line for each of its events", async (view) => {
    const { code, out } = await run("export", "last", "--as", view, "--out", "-");
    expect(code).toBe(0);
    expect(linesOf(out).length).toBeGreaterThan(1);
  });

  test("has nothing of the input without content, and the same events", async () => {
    for (const view of ["lsem", "session", "mplp", "prov"]) {
      const given = ["export", "last", "--as", view, "--out", "-"];
      const [whole, bare] = [await run(...given), await run(...given, "--without-content")];
      expect([whole.code, bare.code]).toEqual([0, 0]);
      expect(bare.out).not.toContain("ledger.txt");
      if (view === "mplp") expect(linesOf(bare.out)).toHaveLength(linesOf(whole.out).length);
      if (view === "mplp" || view === "prov") expect(whole.out).toContain("ledger.txt");
    }
  });

  test("prov relates only what is there, each with what its kind takes", async () => {
    const { out } = await run("export", "last", "--as", "prov", "--out", "-");
    const { prefix, entity, activity, agent, ...relations } = JSON.parse(out);
    expect(Object.keys(prefix)).toEqual(["turnseal", "run"]);
    const named: Readonly<Record<string, object>> = {
      ...{ entity, activity, agent, informed: activity, informant: activity },
      ...{ generatedEntity: entity, usedEntity: entity },
    };
    const kinds = Object.keys(relations);
    for (const kind of ["used", "wasGeneratedBy", "wasAssociatedWith", "wasEndedBy"])
      expect(kinds).toContain(kind);
    for (const records of Object.values(relations) as Record<string, JsonObject>[])
      for (const record of Object.values(records))
        for (const [field, value] of Object.entries(record)) {
          const role = field.replace("prov:", "");
          if (field.startsWith("prov:") && role !== "time")
            expect(named[role]).toHaveProperty([String(value)]);
        }
  });

  test("of a file is the view of its run, and an unknown one is refused", async () => {
    const file = join(root, "whole.json");
    await run("export", "last", "--out", file);
    const ofRun = await run("export", "last", "--as", "mplp", "--out", "-");
    const ofFile = await run("export", file, "--as", "mplp", "--out", "-");
    const ofPack = await run("export", pack, "--as", "mplp", "--out", "-");
    expect(ofFile).toEqual({ ...ofRun, err: ofFile.err });
    expect(ofPack.out).toBe(ofRun.out);
    const unknown = await run("export", "last", "--as", "otel", "--out", "-");
    expect([unknown.code, unknown.out]).toEqual([64, ""]);
    expect(unknown.err).toContain("lsem, session, mplp, prov, evidence");
  });

  test("does not overwrite a file", async () => {
    const file = join(root, "taken.jsonl");
    writeFileSync(file, "mine");
    const { code, err } = await run("export", "last", "--as", "mplp", "--out", file);
    expect([code, readFileSync(file, "utf8")]).toEqual([64, "mine"]);
    expect(err).toContain("exists already");
  });
});

const hash = (file: string): string =>
  createHash("sha256").update(readFileSync(file)).digest("hex");

/** The checksums as anybody can make them for what is there. */
function sumAgain(folder: string): void {
  const paths = [
    ...readdirSync(folder).filter((name) => name !== "sha256sums" && name !== "artifacts"),
    ...readdirSync(join(folder, "artifacts")).map((name) => `artifacts/${name}`),
  ].toSorted();
  const sums = paths.map((path) => `${hash(join(folder, path))}  ${path}\n`);
  writeFileSync(join(folder, "sha256sums"), sums.join(""));
}

let copies = 0;
function copyPack(): string {
  copies += 1;
  const folder = join(root, `copy-${copies}`);
  cpSync(pack, folder, { recursive: true });
  return folder;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile());
}

describe("an evidence pack", () => {
  test("verifies, is the same whenever it is made, and is the same file again", async () => {
    expect(await run("verify", pack)).toMatchObject({ code: 0, err: "" });
    const again = join(root, "again");
    await run("export", "last", "--as", "evidence", "--out", again);
    expect(listFiles(again)).toEqual(listFiles(pack));
    for (const name of listFiles(pack))
      expect(hash(join(again, name))).toBe(hash(join(pack, name)));
    const [file, imported] = [join(root, "run.json"), join(root, "imported.json")];
    await run("export", "last", "--out", file);
    expect((await run("import", pack, "--out", imported)).code).toBe(0);
    expect(readFileSync(imported, "utf8")).toBe(readFileSync(file, "utf8"));
    expect((await run("show", pack)).code).toBe(0);
  });

  test("without content has no artifact and no key, and verifies", async () => {
    const bare = join(root, "bare");
    const given = ["--as", "evidence", "--without-content", "--out", bare];
    expect((await run("export", "last", ...given)).code).toBe(0);
    expect(listFiles(bare).toSorted()).toEqual(
      ["events.ndjson", "keys.json", "manifest.json", "receipts.ndjson", "sha256sums"].toSorted(),
    );
    expect((await run("verify", bare)).code).toBe(0);
  });

  test("of which any file was changed by one byte does not verify", async () => {
    for (const name of listFiles(pack)) {
      const folder = copyPack();
      const bytes = readFileSync(join(folder, name));
      bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1;
      writeFileSync(join(folder, name), bytes);
      const { code, out } = await run("verify", folder);
      expect([name, code]).toEqual([name, 3]);
      expect(out).toContain("BUNDLE_MALFORMED");
    }
  });

  test("of which any file was changed together with its checksum does not verify", async () => {
    for (const name of listFiles(pack).filter((each) => each !== "sha256sums")) {
      // It is not trusted: see below.
      if (name === "keys.json") continue;
      const folder = copyPack();
      const text = readFileSync(join(folder, name), "utf8");
      const changed = name === "content-key" ? "A".repeat(43) : text.replace(/[a-z0-9]/, "_");
      writeFileSync(join(folder, name), changed);
      sumAgain(folder);
      expect([name, (await run("verify", folder)).code]).toEqual([name, 3]);
    }
  });

  test("is not trusted for the keys that are in it", async () => {
    const folder = copyPack();
    const own = await run("keys", "export");
    writeFileSync(join(folder, "keys.json"), "[]\n");
    sumAgain(folder);
    // They change nothing: a verifier brings its own keys.
    expect((await run("verify", folder)).code).toBe(0);
    const keys = join(root, "keys.json");
    writeFileSync(keys, own.out.replace(/"x": *"[^"]{5}/, '"x":"AAAAA'));
    expect((await run("verify", pack, "--keys", keys)).code).not.toBe(0);
  });

  test("of which a file is missing, is new, or is a link does not verify", async () => {
    for (const name of listFiles(pack)) {
      const folder = copyPack();
      unlinkSync(join(folder, name));
      expect([name, (await run("verify", folder)).code]).toEqual([name, 3]);
    }
    const added = copyPack();
    writeFileSync(join(added, "readme.txt"), "hello");
    expect((await run("verify", added)).out).toContain("readme.txt is not part of");
    const linked = copyPack();
    unlinkSync(join(linked, "keys.json"));
    symlinkSync(join(pack, "keys.json"), join(linked, "keys.json"));
    expect((await run("verify", linked)).out).toContain("keys.json is not a file");
  });

  test("that names a path outside of itself is refused, and nothing is read there", async () => {
    for (const path of ["../outside", "/etc/passwd", "artifacts/../../outside", "artifacts/x"]) {
      const folder = copyPack();
      const sums = join(folder, "sha256sums");
      writeFileSync(sums, `${"0".repeat(64)}  ${path}\n${readFileSync(sums, "utf8")}`);
      const { code, out } = await run("verify", folder);
      expect(code).toBe(3);
      expect(out).toContain("names a path outside of the pack");
    }
  });

  test("that does not verify is not imported, and what is no pack is named", async () => {
    const folder = copyPack();
    const events = join(folder, "events.ndjson");
    writeFileSync(events, readFileSync(events, "utf8").replace("refund", "redund"));
    sumAgain(folder);
    const out = join(root, "never.json");
    expect((await run("import", folder, "--out", out)).code).toBe(3);
    expect(existsSync(out)).toBe(false);
    const none = await run("import", root, "--out", out);
    expect([none.code, existsSync(out)]).toEqual([64, false]);
    expect(none.err).toContain("is not an evidence pack");
  });

  test("is not written over a folder, nor to standard output", async () => {
    const twice = await run("export", "last", "--as", "evidence", "--out", pack);
    expect([twice.code, twice.err.includes("exists already")]).toEqual([64, true]);
    expect((await run("export", "last", "--as", "evidence", "--out", "-")).code).toBe(64);
  });
});

// The last: it leaves another run as the latest.
test("a view names no field that was refused, without content", async () => {
  const strict = join(root, "strict.mjs");
  const closed = { type: "object", additionalProperties: false };
  const definition = {
    ...{ id: "strict", name: "strict", version: "1.0.0", kind: "tool" },
    ...{ inputSchema: {}, outputSchema: closed, tool: { implementation: "local.strict" } },
  };
  const answer = '() => ({ "the secret name": 1 })';
  const loop = `{ definition: ${JSON.stringify(definition)}, run: ${answer} }`;
  writeFileSync(strict, `export const strict = ${loop};`);
  const options = ["--from", strict, "--input", "{}", "--allow", "local.strict"];
  const refused = await run("run", "strict", ...options);
  const [id = ""] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(refused.out + refused.err) ?? [];
  for (const view of ["lsem", "session", "mplp", "prov"]) {
    const given = ["export", id, "--as", view, "--out", "-"];
    const [whole, bare] = [await run(...given), await run(...given, "--without-content")];
    expect([whole.code, bare.code]).toEqual([0, 0]);
    if (view === "lsem") expect(whole.out).toContain("the secret name");
    expect(bare.out, view).not.toContain("the secret name");
  }
});
