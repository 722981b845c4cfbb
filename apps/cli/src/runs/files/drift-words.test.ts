// Refusals of the commands about files: each has its cause, and a command that helps.
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { sayCommand } from "../../say-command.test.data.ts";

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../__fixtures__/${name}`, import.meta.url));
const top = mkdtempSync(join(tmpdir(), "turnseal-words-"));
afterAll(() => rmSync(top, { recursive: true }));
let place = "";
const at = (path: string): string => join(place, "site", path);

async function turnsealAt(roots: string, ...args: readonly string[]) {
  return sayCommand([...args, "--store", join(place, "store")], { TURNSEAL_ROOTS: roots });
}
const turnseal = (...args: readonly string[]) => turnsealAt(`site=${place}/site`, ...args);

beforeEach(async () => {
  place = mkdtempSync(join(top, "case-"));
  mkdirSync(join(place, "site"));
  const ran = await turnseal(
    ...["run", "write", "--from", fixture("writer.mjs"), "--allow", "local.write"],
    ...["--input", '{"a":"1\\n"}', "--await", "go", "--next-input", '{"a":"$.signals.go.text"}'],
  );
  expect(ran.code).toBe(2);
});

describe("drift --watch", () => {
  test("ends where no folder is bound, and says how to bind it", async () => {
    const { code, out, err } = await turnsealAt("", "drift", "last", "--watch");
    expect([code, err]).toEqual([1, expect.stringContaining("nothing is watched")]);
    expect(out).toMatch(/next: TURNSEAL_ROOTS=site=<folder> turnseal drift [0-9a-f]{8}\n/);
  });

  test("ends where the run manages no files", async () => {
    const put = ["run", "put", "--from", fixture("undone.mjs"), "--allow", "local.put"];
    const input = JSON.stringify({ ledger: join(place, "ledger"), what: "one" });
    expect((await turnseal(...put, "--input", input)).code).toBe(0);
    const { code, out, err } = await turnseal("drift", "last", "--watch");
    expect([code, out]).toEqual([0, expect.stringContaining("manages no files")]);
    expect(err).toContain("nothing is watched");
  });
});

test("drift of an erased run names the cause, and no folder", async () => {
  await turnseal("erase", "last", "--yes");
  const { code, out } = await turnseal("drift", "last");
  expect([code, out]).toEqual([1, expect.stringContaining("what was recorded of them was erased")]);
  expect(out).toMatch(/next: turnseal verify [0-9a-f]{8}/);
  expect(out).not.toContain("TURNSEAL_ROOTS");
});

test("a rollback of an erased run that has not stopped is said to be impossible", async () => {
  await turnseal("erase", "last", "--yes");
  const { code, err } = await turnseal("rollback", "last");
  expect([code, err]).toEqual([1, expect.stringContaining("its content was erased")]);
  expect(err).toMatch(/next: turnseal verify/);
});

test("graph-wins with a link in the place says to move it away", async () => {
  rmSync(at("a"));
  symlinkSync("b", at("a"));
  const { code, err } = await turnseal("drift", "last", "--reconcile", "graph-wins", "--yes");
  expect(code).toBe(1);
  expect(err).toMatch(/next: move .* away, then turnseal drift \w{8} --reconcile graph-wins/);
});

describe("adopt", () => {
  test("a path that begins with the folder of the root is told where paths begin", async () => {
    writeFileSync(at("style.css"), "body {}\n");
    const { code, err } = await turnseal("adopt", "last", "site/style.css");
    expect([code, err]).toEqual([1, expect.stringContaining("paths begin at the folder of")]);
    expect(err).toContain("style.css is there");
    expect(err).toMatch(/next: turnseal adopt \w{8} style\.css/);
  });

  test.each([".git/config", "sub/.TURNSEAL/x"])("%s is reserved", async (path) => {
    const { err } = await turnseal("adopt", "last", path);
    expect(err).toContain("is reserved");
  });

  test("without a folder, the command that binds one has the run", async () => {
    const { err } = await turnsealAt("", "adopt", "last", "b");
    expect(err).toMatch(/turnseal adopt last <paths> --root <name>/);
  });
});

test("drift of a run that was taken back names its rollback", async () => {
  await turnseal("cancel", "last");
  await turnseal("resume", "last");
  const [first = ""] = (await turnseal("rollback", "last", "--json")).out.split("\n");
  const { of, run } = JSON.parse(first) as { of: string; run: string };
  const again = await turnseal("rollback", of);
  expect([again.code, again.out]).toEqual([2, expect.stringContaining("waits for approval")]);
  expect(again.out).toMatch(new RegExp(`next: turnseal inbox ${run.slice(0, 8)}`));
  await turnseal("approve", run);
  await turnseal("resume", run);
  expect(existsSync(at("a"))).toBe(false);
  const { out } = await turnseal("drift", of);
  expect(out).toContain(`rolled back by run ${run.slice(0, 8)}: goal-reached, 1 action taken back`);
});
