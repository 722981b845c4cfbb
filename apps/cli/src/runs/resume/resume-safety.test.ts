// Whether it is safe to resume: one answer, of the world and of everything else that keeps a run.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { sayCommand } from "../../say-command.test.data.ts";

const loops = fileURLToPath(new URL("../../__fixtures__/writer.mjs", import.meta.url));
const top = mkdtempSync(join(tmpdir(), "turnseal-safety-"));
afterAll(() => rmSync(top, { recursive: true }));
let place = "";
const edit = () => appendFileSync(join(place, "site", "a"), "by hand\n");

async function turnsealAt(roots: string, ...args: readonly string[]) {
  return sayCommand([...args, "--store", join(place, "store")], { TURNSEAL_ROOTS: roots });
}
const turnseal = (...args: readonly string[]) => turnsealAt(`site=${place}/site`, ...args);

/** A run that wrote a file, and waits for the signal that has its next text. */
async function start(...flags: readonly string[]) {
  const ran = await turnseal(
    ...["run", "write", "--from", loops, "--allow", "local.write", "--input", '{"a":"1\\n"}'],
    ...["--await", "go", "--next-input", '{"a":"$.signals.go.text"}', ...flags],
  );
  expect(ran.code).toBe(2);
}
const signal = () => turnseal("signal", "last", "go", "--payload", '{"text":"2\\n"}');

async function explainSafety(
  explain = turnseal("explain", "last", "--from", loops),
): Promise<string> {
  const { out } = await explain;
  return out.slice(out.indexOf("Is it safe to resume?"));
}
const checkOf = async () =>
  JSON.parse((await turnseal("explain", "last", "--from", loops, "--json")).out).resume;

beforeEach(() => {
  place = mkdtempSync(join(top, "case-"));
  mkdirSync(join(place, "site"));
});

describe("is it safe to resume?", () => {
  test("yes, where everything is as recorded", async () => {
    await start();
    expect(await explainSafety()).toMatch(/ {2}safe {6}yes\n {2}next: turnseal signal/);
    expect(await checkOf()).toMatchObject({ isSafe: true });
  });

  test("no, where files differ, with what helps; and resume says the same", async () => {
    await start();
    edit();
    const differ = "files under site are not what the run recorded";
    const safety = await explainSafety();
    expect(safety).toContain(`safe      no: ${differ}\n`);
    expect(safety).toMatch(/next: turnseal drift \w{8}, then turnseal resume \w{8} --on-drift </);
    expect(safety).toContain("<graph-wins|files-win|merge|leave>");
    const next = expect.stringMatching(/^turnseal drift .*--on-drift/);
    expect(await checkOf()).toMatchObject({ isSafe: false, why: differ, next });
    await signal();
    const refused = await turnseal("resume", "last");
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining(`no: ${differ}`)]);
    const left = await turnseal("resume", "last", "--on-drift", "leave");
    expect(left.out).toMatch(/safe {6}yes\n/);
  });

  test("a run that is to end is not kept by its files", async () => {
    await start();
    edit();
    await turnseal("cancel", "last");
    expect(await explainSafety()).toMatch(/safe {6}yes\n/);
    expect((await turnseal("resume", "last")).out).toMatch(/safe {6}yes\n/);
  });

  test("no for a run that begins no turn so, and not by leaving files", async () => {
    await start("--require-no-drift");
    edit();
    await signal();
    const refused = await turnseal("resume", "last");
    expect(refused.err).toContain("--on-drift <graph-wins|files-win|merge>\n");
    expect((await turnseal("resume", "last", "--on-drift", "leave")).code).toBe(1);
    const { out } = await turnseal("explain", "last", "--from", loops);
    expect(out).toContain("cannot continue: files under the root site are not what");
    expect(out).toContain("safe      no: files under site are not what the run recorded\n");
    expect(out).toMatch(/--on-drift <graph-wins\|files-win\|merge>\n/);
    expect(out).not.toMatch(/next: turnseal resume/);
    await turnseal("drift", "last", "--reconcile", "files-win", "--yes");
    expect((await turnseal("explain", "last", "--from", loops)).out).not.toContain(
      "cannot continue",
    );
    expect(await explainSafety()).toMatch(/safe {6}yes\n {2}next: turnseal resume/);
  });

  test("a block is over once files are as they were, by whatever hand", async () => {
    await start("--require-no-drift");
    const text = "1\n";
    edit();
    await signal();
    expect((await turnseal("resume", "last", "--on-drift", "leave")).code).toBe(1);
    rmSync(join(place, "site", "a"));
    appendFileSync(join(place, "site", "a"), text);
    const { out } = await turnseal("explain", "last", "--from", loops);
    expect(out).not.toContain("cannot continue");
    expect(out).toMatch(/safe {6}yes\n/);
  });

  test("no without the folder, which is named", async () => {
    await start();
    await signal();
    const safety = await explainSafety(turnsealAt("", "explain", "last", "--from", loops));
    expect(safety).toContain("safe      no: no folder is bound to the root site\n");
    expect(safety).toMatch(/next: TURNSEAL_ROOTS=site=<folder> turnseal resume \w{8}/);
    const { code, out, err } = await turnsealAt("", "resume", "last");
    expect([code, out]).toEqual([1, expect.stringContaining("no: no folder is bound")]);
    expect(err).toContain("no folder is bound to the root site");
    expect(err).toContain("next: TURNSEAL_ROOTS=site=<folder> turnseal resume");
    expect(err).not.toContain("--on-drift");
  });

  test("no for a run whose content was erased", async () => {
    await start();
    await turnseal("erase", "last", "--yes");
    const safety = await explainSafety();
    expect(safety).toContain("no: its content was erased\n");
    expect(safety).toMatch(/next: turnseal verify/);
    expect(await checkOf()).toMatchObject({ isSafe: false, why: "its content was erased" });
  });
});

describe("of a run that has stopped", () => {
  test("it is said how many files differ", async () => {
    await start();
    await turnseal("cancel", "last");
    await turnseal("resume", "last");
    expect(await explainSafety()).toMatch(/nothing to resume\n {2}files {5}site, 1 file, as recor/);
    edit();
    expect(await explainSafety()).toMatch(
      /nothing to resume\n {2}files {5}site, 1 file, 1 difference: turnseal drift \w{8}\n/,
    );
    const { world } = JSON.parse(
      (await turnseal("explain", "last", "--from", loops, "--json")).out,
    );
    expect(world).toEqual([{ root: "site", files: 1, drifts: 1 }]);
  });
});
