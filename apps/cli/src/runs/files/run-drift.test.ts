// Files that a run manages: what became of them, and a folder that nobody has bound.
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sayCommand } from "../../say-command.test.data.ts";

const loops = fileURLToPath(new URL("../../__fixtures__/writer.mjs", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "turnseal-drift-"));
const site = join(place, "site");
const at = (path: string): string => join(site, path);
afterAll(() => rmSync(place, { recursive: true }));

async function turnseal(roots: string, ...args: readonly string[]) {
  return sayCommand([...args, "--store", join(place, "store")], { TURNSEAL_ROOTS: roots });
}

const bound = `site=${site}`;
const texts = {
  "a.txt": "one\ntwo\n",
  "b.txt": "b\n",
  "c.txt": "c\n",
  "d.txt": "d\n",
  "e.sh": "e\n",
};

beforeAll(async () => {
  mkdirSync(site);
  const input = ["--input", JSON.stringify(texts)];
  const ran = ["run", "write", "--from", loops, "--allow", "local.write", ...input];
  const blocked = await turnseal("", ...ran);
  expect(blocked.code).toBe(1);
  expect(blocked.err).toContain("no folder is bound to the root site");
  expect(blocked.err).toContain("next: TURNSEAL_ROOTS=site=<folder> turnseal resume");
  expect((await turnseal(bound, "resume", "last")).code).toBe(0);
});

test("files that are as they were recorded end with 0, also touched or written again", async () => {
  writeFileSync(at("a.txt"), texts["a.txt"]);
  writeFileSync(at("theirs.txt"), "not of the run");
  const { code, out } = await turnseal(bound, "drift", "last");
  expect([code, out]).toEqual([0, "site  5 files, as recorded\n"]);
  rmSync(at("theirs.txt"));
});

test("each way to differ is named, with digests and lines, and ends with 1", async () => {
  appendFileSync(at("a.txt"), "three\n");
  rmSync(at("b.txt"));
  rmSync(at("c.txt"));
  symlinkSync("a.txt", at("c.txt"));
  renameSync(at("d.txt"), at("moved.txt"));
  chmodSync(at("e.sh"), 0o755);
  writeFileSync(at("new.txt"), "new\n");
  const { code, out } = await turnseal(bound, "drift", "last");
  expect(code).toBe(1);
  const digest = "[0-9a-f]{12}";
  expect(out).toMatch(new RegExp(`modified +a\\.txt  ${digest} → ${digest}, \\+1 −0 lines\n`));
  expect(out).toMatch(new RegExp(`deleted +b\\.txt  was ${digest}\n`));
  expect(out).toMatch(/replaced +c\.txt {2}by a link\n/);
  expect(out).toMatch(/deleted +d\.txt/);
  expect(out).toMatch(/mode-changed +e\.sh {2}0\d{3} → 0755\n/);
  expect(out).not.toContain("new.txt");
  const whole = await turnseal(bound, "drift", "last", "--new");
  expect(whole.out).toMatch(/renamed +d\.txt → moved\.txt\n/);
  expect(whole.out).toMatch(/created +new\.txt\n/);
  const { roots } = JSON.parse((await turnseal(bound, "drift", "last", "--json")).out);
  expect(roots).toMatchObject([{ root: "site", files: 5, kind: "looked" }]);
  expect(roots[0].drifts.map(({ kind }: { kind: string }) => kind)).toEqual([
    ...["modified", "deleted", "replaced", "deleted", "mode-changed"],
  ]);
});

test("a folder that is bound, and is not there, is named, with how to bind another", async () => {
  for (const folder of [join(place, "gone"), at("a.txt")]) {
    const { code, out } = await turnseal(`site=${folder}`, "drift", "last");
    expect(code).toBe(1);
    const words = "the folder bound to it is missing: there is no folder";
    expect(out).toContain(`site  5 files: ${words} ${folder}\n`);
    expect(out).toContain("next: TURNSEAL_ROOTS=site=<folder> turnseal drift");
  }
});

test("a folder that is not bound ends with 1 and says how to bind it", async () => {
  for (const roots of ["", "other=.", `other=${join(place, "gone")}`]) {
    const { code, out } = await turnseal(roots, "drift", "last");
    expect(code).toBe(1);
    expect(out).toContain("no folder is bound to it here");
    expect(out).toContain("TURNSEAL_ROOTS=site=<folder>");
  }
});

test("roots that cannot be read are wrong usage, and say how they are written", async () => {
  for (const roots of ["site=", "nonsense", "site=.,site=.."]) {
    const { code, err } = await turnseal(roots, "drift", "last");
    expect(code).toBe(64);
    expect(err).toMatch(/TURNSEAL_ROOTS cannot be read[\s\S]*site=\.\/site/);
  }
});

test("a run that does not exist is a wrong command line", async () => {
  expect((await turnseal(bound, "drift", "nothing")).code).toBe(64);
});

test("what was recorded is proven, and is done again without the folder", async () => {
  expect((await turnseal("", "verify", "last")).code).toBe(0);
  expect((await turnseal("", "replay", "last")).code).toBe(0);
});
