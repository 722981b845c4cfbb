// The output of a command about files reports its own answer only, and no other.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openRuns } from "@turnseal/runtime/runs";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { sayCommand } from "../../say-command.test.data.ts";

const loops = fileURLToPath(new URL("../../__fixtures__/writer.mjs", import.meta.url));
const top = mkdtempSync(join(tmpdir(), "turnseal-words-"));
afterAll(() => rmSync(top, { recursive: true }));
let place = "";
let roots = "";
const at = (path: string): string => join(place, "site", path);
const textOf = (path: string): string => readFileSync(at(path), "utf8");

async function turnseal(...args: readonly string[]) {
  return sayCommand([...args, "--store", join(place, "store")], { TURNSEAL_ROOTS: roots });
}

const run = [
  ...["run", "write", "--from", loops, "--allow", "local.write", "--await", "go"],
  ...["--next-input", JSON.stringify({ a: "$.signals.go.text" })],
  ...["--input", JSON.stringify({ a: "a\n", b: "b\n" }), "--key", "words"],
];

/** A run that wrote two files, and waits for the signal that has the next text of one. */
beforeEach(async () => {
  place = mkdtempSync(join(top, "case-"));
  for (const folder of ["site", "docs"]) mkdirSync(join(place, folder));
  roots = `site=${join(place, "site")}`;
  expect((await turnseal(...run)).code).toBe(2);
});

const reconcile = (way: string, ...more: string[]) =>
  turnseal("drift", "last", "--reconcile", way, "--yes", ...more);
const signal = () =>
  turnseal("signal", "last", "go", "--payload", JSON.stringify({ text: "next\n" }));

/** The id of the run, and its lease in the hands of somebody else. */
async function holdLease() {
  const { out } = await turnseal("drift", "last", "--json");
  const { run: id } = JSON.parse(out) as { readonly run: string };
  const folder = await openRuns({ store: join(place, "store") });
  if (folder.kind !== "open") throw new Error(folder.message);
  const { stores } = folder;
  const answer = await stores.leases.take(id);
  if (answer.kind !== "taken") throw new Error("the run is not free");
  const { lease } = answer;
  return { release: () => lease.release().then(() => stores.close()) };
}

describe("a word that waited is not this one", () => {
  test("an adoption that the run refuses is not said to be done", async () => {
    writeFileSync(at("c"), "theirs\n");
    writeFileSync(at("d"), "theirs\n");
    const lease = await holdLease();
    expect((await turnseal("adopt", "last", "c")).out).toContain("saved for the run");
    await lease.release();
    const { code, out, err } = await turnseal("adopt", "last", "c", "d");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("nothing was adopted: the record has changed since");
    expect(err).toMatch(/next: turnseal drift [0-9a-f]{8} --new/);
    expect((await turnseal("drift", "last")).out).toBe("site  3 files, as recorded\n");
  });

  test("a reconciliation says what became of itself, whatever was done before it", async () => {
    writeFileSync(at("a"), "by hand\n");
    const lease = await holdLease();
    expect((await reconcile("graph-wins")).out).toContain("saved for the run");
    await lease.release();
    writeFileSync(at("b"), "by hand\n");
    const { code, err } = await reconcile("graph-wins");
    expect(code).toBe(1);
    expect(err).toContain("the run did not do it: the record has changed since");
    expect(err).not.toContain("nothing was changed");
    expect([textOf("a"), textOf("b")]).toEqual(["a\n", "by hand\n"]);
  });
});

describe("what was done before the command came to an end is said", () => {
  test("of another root", async () => {
    roots = `site=${join(place, "site")},docs=${join(place, "docs")}`;
    writeFileSync(join(place, "docs", "page"), "page\n");
    expect((await turnseal("adopt", "last", "page", "--root", "docs")).code).toBe(0);
    writeFileSync(join(place, "docs", "page"), "by hand\n");
    rmSync(at("a"));
    symlinkSync("b", at("a"));
    const { code, err } = await reconcile("graph-wins");
    expect(code).toBe(1);
    expect(err).toContain("cannot be done, so 1 file reconciled, and nothing else was changed");
    expect(readFileSync(join(place, "docs", "page"), "utf8")).toBe("page\n");
    const manual = await reconcile("manual", "--keep", "a");
    expect([manual.code, manual.err]).toEqual([64, expect.stringContaining("one root is named")]);
  });

  test("of more files than one plan has, named one by one", async () => {
    const paths = Array.from({ length: 1_002 }, (_, index) => `f${index}`);
    for (const path of paths) writeFileSync(at(path), "x\n");
    expect((await turnseal("adopt", "last", ...paths.slice(0, 900))).code).toBe(0);
    expect((await turnseal("adopt", "last", ...paths.slice(900))).code).toBe(0);
    for (const path of paths) writeFileSync(at(path), "y\n");
    const done = await reconcile("manual", "--keep", ...paths);
    expect([done.code, done.err]).toEqual([0, ""]);
    expect(done.out.split("\n").at(-2)).toBe("site  1004 files, as recorded");
  }, 300_000);
});

describe("a run that is gone on with by its key", () => {
  test("is looked after like one that is resumed", async () => {
    writeFileSync(at("b"), "by hand\n");
    await signal();
    const refused = await turnseal(...run);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("files under site are not what the run recorded");
    expect(refused.err).toMatch(/turnseal resume [0-9a-f]{8} --on-drift/);
    expect(textOf("a")).toBe("a\n");
    writeFileSync(at("b"), "b\n");
    expect((await turnseal(...run)).code).toBe(2);
    expect(textOf("a")).toBe("next\n");
  });

  test("and only told of where it waits, or has stopped", async () => {
    writeFileSync(at("b"), "by hand\n");
    expect((await turnseal(...run)).code).toBe(2);
    await turnseal("cancel", "last");
    await turnseal("resume", "last", "--on-drift", "leave");
    expect((await turnseal(...run)).err).not.toContain("not what the run recorded");
  });
});

test("a run that was cancelled ends, whatever its files are", async () => {
  writeFileSync(at("b"), "by hand\n");
  await turnseal("cancel", "last");
  const { out, err } = await turnseal("resume", "last");
  expect(out).toContain("stopped: cancelled");
  expect(err).not.toContain("is not resumed");
  expect(textOf("b")).toBe("by hand\n");
});

test("a run that is taken over is reconciled by whoever takes it", async () => {
  writeFileSync(at("b"), "by hand\n");
  await signal();
  const lease = await holdLease();
  const held = await turnseal("resume", "last", "--on-drift", "graph-wins");
  expect([held.code, textOf("b")]).toEqual([1, "by hand\n"]);
  const taken = await turnseal("resume", "last", "--take-over", "--on-drift", "graph-wins");
  await lease.release();
  expect([taken.code, textOf("a"), textOf("b")]).toEqual([2, "next\n", "b\n"]);
  expect(taken.err.match(/taking over from/g)).toHaveLength(1);
});

describe("a card shows what is approved", () => {
  test("permissions, a mark at the start, and what is no text", async () => {
    chmodSync(at("a"), 0o755);
    writeFileSync(at("b"), "\ufeffb\n");
    const { out } = await turnseal("drift", "last", "--reconcile", "files-win");
    expect(out).toMatch(/mode-changed +a {2}is recorded as it is\n +permissions 0644 → 0755\n/);
    expect(out).toContain('− b\n      + "\\ufeffb"\n');
    writeFileSync(at("b"), Buffer.from([0, 1, 2]));
    const binary = await turnseal("drift", "last", "--reconcile", "files-win");
    expect(binary.out).toContain("is no text that can be shown: 2 bytes → 3 bytes\n");
    const json = await turnseal("drift", "last", "--reconcile", "files-win", "--json");
    expect(JSON.parse(json.out)).toMatchObject({
      files: [
        { path: "a", states: { recorded: { mode: 0o644 }, becomes: { mode: 0o755 } } },
        { path: "b", states: { recorded: { bytes: 2 }, seen: { bytes: 3 } } },
      ],
    });
  });

  test("and how many lines it does not show, and where they are", async () => {
    writeFileSync(at("a"), "line\n".repeat(50));
    const short = await turnseal("drift", "last", "--reconcile", "files-win");
    expect(short.out.match(/\+ line/g)).toHaveLength(39);
    expect(short.out).toContain("11 lines more\n");
    expect(short.out).toContain("--whole shows them all");
    const whole = await turnseal("drift", "last", "--reconcile", "files-win", "--whole");
    expect(whole.out.match(/\+ line/g)).toHaveLength(50);
    expect(whole.out).not.toContain("more");
  });

  test("and what a merge writes", async () => {
    await signal();
    expect((await turnseal("resume", "last")).code).toBe(2);
    writeFileSync(at("a"), "a\nmine\n");
    const { out, err } = await turnseal("drift", "last", "--reconcile", "merge");
    expect(err).toContain("both changed the same place");
    expect(out).toBe("");
  });
});

describe("wrong input names its cause, and what to do", () => {
  test.each([
    [["drift", "none"], "none", "turnseal runs"],
    [["adopt", "none", "a"], "none", "turnseal runs"],
    [["resume", "none", "--on-drift", "leave"], "none", "turnseal runs"],
    [["resume", "last", "--on-drift", "never"], "Allowed choices", "leave"],
    [["adopt", "last", "a", "--root", "other"], "no folder is bound to the root", "TURNSEAL_ROOTS"],
    [["drift", "last", "--whole"], "go with --reconcile", "drift --help"],
  ])("%j", async (args, cause, next) => {
    const { code, err } = await turnseal(...args);
    expect([code, err]).toEqual([64, expect.stringContaining(cause)]);
    expect(err).toContain(next);
  });

  test("a root that is not bound", async () => {
    writeFileSync(at("a"), "by hand\n");
    roots = "";
    const { code, err } = await reconcile("graph-wins");
    expect(code).toBe(1);
    expect(err).toContain("the files under site cannot be compared: no folder is bound to it");
    expect(err).toContain("next: TURNSEAL_ROOTS=site=<folder> turnseal drift");
    const adopted = await turnseal("adopt", "last", "c");
    expect(adopted.err).toContain("no root is bound to a folder that is there");
    roots = `site=${join(place, "site")},docs=${join(place, "docs")}`;
    const unnamed = await turnseal("adopt", "last", "c");
    expect(unnamed.err).toContain("the roots site, docs are bound, and none of them is named");
    expect((await turnseal("adopt", "last", "none", "--root", "site")).err).toMatch(
      /none {2}is not there\n {2}next: turnseal drift [0-9a-f]{8} --new/,
    );
  });

  test("a run that has stopped", async () => {
    await turnseal("cancel", "last");
    await turnseal("resume", "last");
    writeFileSync(at("a"), "by hand\n");
    for (const said of [await reconcile("graph-wins"), await turnseal("adopt", "last", "a")]) {
      expect([said.code, said.out]).toEqual([64, ""]);
      expect(said.err).toMatch(/run [0-9a-f]{8} has stopped, and takes no word on its files/);
      expect(said.err).toMatch(/next: turnseal drift [0-9a-f]{8} shows.*turnseal rollback/);
    }
    expect([textOf("a"), existsSync(at("b"))]).toEqual(["by hand\n", true]);
  });
});
