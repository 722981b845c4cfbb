// Files that a person changed behind a run: the command line decides which side wins.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { createScreen } from "@turnseal/terminal";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { runProgram } from "../../program.ts";
import { readWritten } from "../../read-written.test.data.ts";

const loops = fileURLToPath(new URL("../../__fixtures__/writer.mjs", import.meta.url));
const top = mkdtempSync(join(tmpdir(), "turnseal-reconcile-"));
afterAll(() => rmSync(top, { recursive: true }));
let place = "";
const at = (path: string): string => join(place, "site", path);
const textOf = (path: string): string => readFileSync(at(path), "utf8");

async function turnseal(...args: readonly string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runProgram([...args, "--store", join(place, "store")], {
    ...{ environment: { TURNSEAL_ROOTS: `site=${join(place, "site")}` }, stdin: Readable.from([]) },
    ...{ stdout, stderr },
    terminal: { out: createScreen(stdout, {}), err: createScreen(stderr, {}) },
  });
  return { code, out: readWritten(stdout), err: readWritten(stderr) };
}

const FIRST = "1\n2\n3\n";

/** A run that wrote two files, and waits for the signal that has the next text of one. */
beforeEach(async () => {
  place = mkdtempSync(join(top, "case-"));
  mkdirSync(join(place, "site"));
  const input = JSON.stringify({ a: FIRST, b: "b\n" });
  const next = JSON.stringify({ a: "$.signals.go.text" });
  const ran = await turnseal(
    ...["run", "write", "--from", loops, "--allow", "local.write", "--input", input],
    ...["--await", "go", "--next-input", next],
  );
  expect(ran.code).toBe(2);
});

const signal = (text: string) =>
  turnseal("signal", "last", "go", "--payload", JSON.stringify({ text }));

describe("turnseal drift --reconcile", () => {
  test("shows the difference, and changes nothing without a yes", async () => {
    writeFileSync(at("a"), "by hand\n");
    const { code, out, err } = await turnseal("drift", "last", "--reconcile", "graph-wins");
    expect(code).toBe(64);
    expect(out).toMatch(/modified +a +is put back\n +− 1\n +− 2\n +− 3\n +\+ by hand\n/);
    expect(err).toContain("nothing was changed: it needs a yes");
    expect(textOf("a")).toBe("by hand\n");
  });

  test("puts files back, and the run says who said so", async () => {
    writeFileSync(at("a"), "by hand\n");
    rmSync(at("b"));
    const done = await turnseal("drift", "last", "--reconcile", "graph-wins", "--yes");
    expect([done.code, done.out.split("\n").at(-2)]).toEqual([0, "site  2 files, as recorded"]);
    expect([textOf("a"), textOf("b")]).toEqual([FIRST, "b\n"]);
    expect((await turnseal("explain", "last")).out).toContain(
      "reconciled files under site: graph-wins",
    );
    expect((await turnseal("verify", "last")).code).toBe(0);
  });

  test("records them as they are", async () => {
    writeFileSync(at("a"), "by hand\n");
    rmSync(at("b"));
    expect((await turnseal("drift", "last", "--reconcile", "files-win", "--yes")).code).toBe(0);
    expect([textOf("a"), existsSync(at("b"))]).toEqual(["by hand\n", false]);
    expect((await turnseal("drift", "last")).out).toBe("site  1 file, as recorded\n");
  });

  test("takes each file as it is told", async () => {
    writeFileSync(at("a"), "by hand\n");
    writeFileSync(at("b"), "by hand\n");
    const manual = ["drift", "last", "--reconcile", "manual", "--yes"];
    const half = await turnseal(...manual, "--keep", "a");
    expect(half.code).toBe(1);
    expect(half.err).toContain("b  name it with --keep or with --restore");
    expect((await turnseal(...manual, "--keep", "a", "--restore", "b")).code).toBe(0);
    expect([textOf("a"), textOf("b")]).toEqual(["by hand\n", "b\n"]);
  });

  test("merges what both changed in other places, and shows conflicts of the same", async () => {
    await signal("1\n2\n3\nvier\n");
    expect((await turnseal("resume", "last")).code).toBe(2);
    const merge = ["drift", "last", "--reconcile", "merge", "--yes"];
    writeFileSync(at("a"), "1\n2\n3\nfour\n");
    const conflict = await turnseal(...merge);
    expect(conflict.code).toBe(1);
    expect(conflict.err).toMatch(/both changed the same place\n.*\n +− vier\n +\+ four\n/);
    expect(textOf("a")).toBe("1\n2\n3\nfour\n");
    writeFileSync(at("a"), "eins\n2\n3\n");
    expect((await turnseal(...merge)).code).toBe(0);
    expect(textOf("a")).toBe("eins\n2\n3\nvier\n");
    expect((await turnseal("verify", "last")).code).toBe(0);
  });

  test.each([
    [["--reconcile", "sometimes"], "Allowed choices"],
    [["--reconcile", "graph-wins", "--watch"], "--reconcile excludes --watch"],
    [["--keep", "a"], "go with --reconcile"],
    [["--reconcile", "merge", "--keep", "a"], "go with --reconcile manual"],
    [["--reconcile", "manual", "--keep", "a", "--restore", "a"], "cannot be kept and restored"],
    [["--reconcile", "merge", "--root", "other"], "manages no files under other"],
  ])("%j is a wrong command line", async (flags, words) => {
    const { code, err } = await turnseal("drift", "last", ...flags);
    expect([code, err]).toEqual([64, expect.stringContaining(words)]);
  });

  test("is for a run that goes on", async () => {
    await turnseal("cancel", "last");
    await turnseal("resume", "last");
    writeFileSync(at("a"), "by hand\n");
    const { code, err } = await turnseal("drift", "last", "--reconcile", "graph-wins", "--yes");
    expect([code, err]).toEqual([64, expect.stringContaining("has stopped, and takes no word")]);
    expect(textOf("a")).toBe("by hand\n");
  });
});

describe("turnseal resume", () => {
  test("refuses where files differ, unless it is told what counts", async () => {
    writeFileSync(at("b"), "by hand\n");
    await signal("next\n");
    const refused = await turnseal("resume", "last");
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("files under site are not what the run recorded");
    expect(refused.err).toContain("--on-drift");
    expect(textOf("a")).toBe(FIRST);
    const went = await turnseal("resume", "last", "--on-drift", "graph-wins");
    expect(went.code).toBe(2);
    expect([textOf("a"), textOf("b")]).toEqual(["next\n", "b\n"]);
  });

  test("goes on all the same where it is told to, and the tool finds out", async () => {
    writeFileSync(at("b"), "by hand\n");
    await signal("next\n");
    expect((await turnseal("resume", "last", "--on-drift", "leave")).code).toBe(2);
    expect([textOf("a"), textOf("b")]).toEqual(["next\n", "by hand\n"]);
  });

  test("takes no way by which each file would have to be named", async () => {
    expect((await turnseal("resume", "last", "--on-drift", "manual")).code).toBe(64);
  });
});

describe("turnseal adopt", () => {
  test("has the run manage a file, and says so from then on", async () => {
    writeFileSync(at("c"), "theirs\n");
    const { code, out } = await turnseal("adopt", "last", "c");
    expect([code, out]).toEqual([0, expect.stringContaining("manages 1 more file in site")]);
    expect((await turnseal("drift", "last")).out).toBe("site  3 files, as recorded\n");
    writeFileSync(at("c"), "changed\n");
    expect((await turnseal("drift", "last")).code).toBe(1);
    expect((await turnseal("verify", "last")).code).toBe(0);
  });

  test.each([
    ["a", "is managed already"],
    ["none", "is not there"],
    ["../out", ""],
    [".git/config", "is reserved"],
  ])("not %s", async (path, words) => {
    const { code, err } = await turnseal("adopt", "last", path);
    expect([code, err]).toEqual([1, expect.stringContaining(words)]);
    expect((await turnseal("drift", "last")).out).toBe("site  2 files, as recorded\n");
  });
});

describe("a run that begins no turn while files differ", () => {
  test("is blocked, and says what helps", async () => {
    const next = JSON.stringify({ a: "$.signals.go.text" });
    const started = await turnseal(
      ...["run", "write", "--from", loops, "--allow", "local.write", "--require-no-drift"],
      ...["--input", JSON.stringify({ c: "c\n" }), "--await", "go", "--next-input", next],
    );
    expect(started.code).toBe(2);
    writeFileSync(at("c"), "by hand\n");
    await signal("next\n");
    const blocked = await turnseal("resume", "last", "--on-drift", "leave");
    expect(blocked.code).toBe(1);
    expect(blocked.err).toContain("files under the root site are not what the run recorded");
    expect((await turnseal("drift", "last", "--reconcile", "files-win", "--yes")).code).toBe(0);
    // It takes in the next text, and writes a file that the other run wrote: it is not its own.
    expect((await turnseal("resume", "last")).code).not.toBe(64);
    expect(textOf("c")).toBe("by hand\n");
  });
});
