// Files are restored by the worker with their root; elsewhere the output never claims that nothing
// changed.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { sayCommand } from "../say-command.test.data.ts";

const loops = fileURLToPath(new URL("../__fixtures__/writer.mjs", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "turnseal-rooted-"));
afterAll(() => rmSync(place, { recursive: true }));
const site = join(place, "site");

async function say(roots: string, ...args: readonly string[]) {
  return sayCommand([...args, "--store", join(place, "store")], { TURNSEAL_ROOTS: roots });
}

test("without its root a rollback says what it has not seen, and is not asked for", async () => {
  mkdirSync(site);
  const roots = `site=${site}`;
  const input = JSON.stringify({ "d.html": "d\n" });
  const flags = ["--from", loops, "--allow", "local.write", "--input", input, "--key", "rooted"];
  expect(await say(roots, "run", "write", ...flags)).toMatchObject({ code: 0 });
  writeFileSync(join(site, "d.html"), "by hand\n");
  const looked = await say(roots, "rollback", "last", "--dry-run");
  expect(looked.out).toMatch(/1 file of these changed since, and left\n +!! {2}site: d\.html/);
  expect(looked.out).not.toContain("not looked at");
  const blind = await say("", "rollback", "last", "--dry-run");
  expect(blind.out).toContain(
    "files of root site were not compared: no folder is bound to it here",
  );
  const json = JSON.parse((await say("", "rollback", "last", "--dry-run", "--json")).out) as object;
  expect(json).toMatchObject({ unlooked: ["site"], drifted: [] });
  const refused = await say("", "rollback", "last");
  expect(refused.code).toBe(64);
  expect(refused.err).toContain("no folder is bound to the root site here");
  expect(refused.err).toMatch(/TURNSEAL_ROOTS=site=<folder> turnseal rollback [0-9a-f]{8}/);
  expect((await say(roots, "runs")).out).not.toContain("rollback");
  expect(await say(roots, "rollback", "last")).toMatchObject({ code: 2 });
  expect(readdirSync(site)).toEqual(["d.html"]);
});
