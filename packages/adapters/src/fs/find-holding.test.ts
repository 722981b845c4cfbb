// ripgrep narrows a list, and decides nothing: it is compared with a look into every file.
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SearchedTexts } from "@turnseal/ports";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findHolding, TEXTS_LENGTH_MAX } from "./find-holding.ts";
import { folderRoot } from "./folder-root.ts";
import { knownFiles } from "./known-files.ts";
import { createDigester, createFolders, putFile } from "./sample-root.test.data.ts";

let folder: string;
let outside: string;
const path = process.env["PATH"] ?? "";
beforeEach(() => {
  ({ folder, outside } = createFolders());
});
afterEach(() => {
  process.env["PATH"] = path;
  rmSync(dirname(folder), { recursive: true });
});

const put = (name: string, bytes: string | Uint8Array) => putFile(join(folder, name), bytes);
const rootOf = () => ({
  ...{ folder, createDigester, passed: new Set([".git", ".turnseal"]) },
  ...{ known: knownFiles(), scans: 0 },
});
/** The paths by ripgrep alone; undefined where it gives no answer. */
const search = async (holding: SearchedTexts, at = "") =>
  (await findHolding(rootOf(), at, holding))?.map((entry) => entry.path).toSorted();
const needle = { texts: ["needle"] };

test("files are found that are hidden, ignored or odd, and others are not", async () => {
  put("a", "a needle\n");
  put(".hidden/b", "needle");
  put(".gitignore", "ignored\n");
  put(".rgignore", "*\n");
  put("ignored", "needle");
  put("binary", Uint8Array.of(0, 255, ...new TextEncoder().encode("needle")));
  put("no", "nee\ndle");
  put(".git/config", "needle");
  put("d/.GIT/config", "needle");
  put("d/.turnseal/x", "needle");
  put(".turnseal-draft-1", "needle");
  put("with: colon", "needle");
  const found = [".hidden/b", "a", "binary", "ignored"];
  expect(await search(needle)).toEqual(found);
  expect(await search(needle, ".hidden")).toEqual([".hidden/b"]);
  expect(await search({ texts: ["absent"] })).toEqual([]);
  const listing = await folderRoot({ folder, createDigester }).list("", {
    ...{ isDeep: true, holding: needle },
  });
  expect(listing.kind === "listed" && listing.entries.length).toBe(found.length);
});

test("a search of lowered texts finds every capital, also those outside of ASCII", async () => {
  const words = ["KIND", "kind", "\u212aind", "k\u0130nd", "KiNd"];
  for (const [index, word] of words.entries()) put(`f${index}`, word);
  const lowered = words.flatMap((word, index) =>
    word.toLowerCase().includes("kind") ? [`f${index}`] : [],
  );
  expect(await search({ texts: ["kind"], isLowered: true })).toEqual(
    expect.arrayContaining(lowered),
  );
  expect(lowered).toHaveLength(4);
  expect(await search({ texts: ["kind"] })).toEqual(["f1"]);
});

test("a random search leaves out no file that holds a text", async () => {
  const piece = fc.constantFrom(
    ...["a", "B", "\\", "$", "(", "é", "-", "K", "\u212a", "İ", "x\n", "."],
  );
  const text = fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));
  const all = fc.array(text, { minLength: 1, maxLength: 6 });
  const property = fc.asyncProperty(all, all, fc.boolean(), async (contents, texts, isLowered) => {
    rmSync(folder, { recursive: true });
    for (const [index, content] of contents.entries()) put(`d${index % 2}/f${index}`, content);
    const plain = isLowered
      ? texts.map((each) => each.replaceAll(/[^ -~]/g, "i").toLowerCase())
      : texts;
    const found = await search({ texts: plain, isLowered });
    const held = contents.flatMap((content, index) => {
      const looked = isLowered ? content.toLowerCase() : content;
      return plain.some((each) => looked.includes(each)) ? [`d${index % 2}/f${index}`] : [];
    });
    if (found !== undefined) expect(found).toEqual(expect.arrayContaining(held));
    // A line end is nothing that it looks for.
    expect(found === undefined).toBe(plain.some((each) => each.includes("\n")));
  });
  await fc.assert(property, { seed: 38, numRuns: 60 });
});

describe("there is no answer", () => {
  test("without the program, and of one that is not found by an absolute path", async () => {
    put("a", "needle");
    for (const other of ["", "/nowhere", ".", "relative/bin"]) {
      process.env["PATH"] = other;
      expect(await search(needle), other).toBeUndefined();
    }
  });

  test("of a program in the root, which an agent may have written", async () => {
    put("a", "needle");
    for (const place of ["bin", "node_modules/.bin"]) {
      put(`${place}/rg`, `#!/bin/sh\ntouch ${outside}/ran\n`);
      chmodSync(join(folder, place, "rg"), 0o755);
    }
    mkdirSync(join(outside, "bin"));
    symlinkSync(join(folder, "bin/rg"), join(outside, "bin/rg"));
    for (const place of [
      join(folder, "bin"),
      join(folder, "node_modules/.bin"),
      join(outside, "bin"),
    ]) {
      process.env["PATH"] = place;
      expect(await search(needle)).toBeUndefined();
      process.env["PATH"] = `${place}:${path}`;
      expect(await search(needle)).toEqual(["a"]);
    }
    expect(await search({ texts: ["ran"] }, "bin")).toEqual(["bin/rg"]);
  });

  test("of one that fails, floods or knows no such option", async () => {
    put("a", "needle");
    for (const line of ["exit 2", "kill -9 $$", "echo ./a; exit 3", "yes"]) {
      const bin = join(outside, "bin");
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, "rg"), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
      process.env["PATH"] = `${bin}:${path}`;
      expect(await search(needle), line).toBeUndefined();
    }
  });

  test("without a text, and to more than TEXTS_LENGTH_MAX characters", async () => {
    put("a", "needle");
    for (const texts of [[], [""], ["x".repeat(TEXTS_LENGTH_MAX + 1)]])
      expect(await search({ texts })).toBeUndefined();
    expect(await search({ texts: ["x".repeat(TEXTS_LENGTH_MAX)] })).toEqual([]);
  });
});

describe("what it says is checked", () => {
  test("no configuration of the machine, and no link, adds a file", async () => {
    put("a", "needle");
    writeFileSync(join(outside, "config"), "--follow\n--glob=*\n");
    writeFileSync(join(outside, "secret"), "needle");
    symlinkSync(outside, join(folder, "way"));
    symlinkSync(join(outside, "secret"), join(folder, "file"));
    process.env["RIPGREP_CONFIG_PATH"] = join(outside, "config");
    expect(await search(needle)).toEqual(["a"]);
    delete process.env["RIPGREP_CONFIG_PATH"];
  });

  test("a program that names other places is not followed there", async () => {
    put("a", "needle");
    put("d/b", "needle");
    put(".git/config", "x");
    writeFileSync(join(outside, "secret"), "needle");
    const bin = join(outside, "bin");
    mkdirSync(bin);
    const said = [
      "./a",
      "./../outside/secret",
      "./way/secret",
      "./.git/config",
      "./d",
      "./no",
      "//etc/passwd",
    ];
    const line = said.map((name) => `${name}\\0`).join("");
    writeFileSync(join(bin, "rg"), `#!/bin/sh\nprintf '${line}'\n`, { mode: 0o755 });
    symlinkSync(outside, join(folder, "way"));
    process.env["PATH"] = `${bin}:${path}`;
    expect(await search(needle)).toEqual(["a"]);
  });

  test("a folder that is exchanged for a link while it searches shows nothing", async () => {
    put("d/secret", "other");
    writeFileSync(join(outside, "secret"), "needle");
    const [at, away] = [join(folder, "d"), join(folder, "away")];
    for (let round = 0; round < 40; round++) {
      const searching = search(needle);
      renameSync(at, away);
      symlinkSync(outside, at);
      expect((await searching) ?? []).toEqual([]);
      rmSync(at);
      renameSync(away, at);
    }
  });
});
