// The code that a command loads if only the note of the run names it: a writer of the store can
// write that note.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { sayCommand } from "./say-command.test.data.ts";

const loops = fileURLToPath(new URL("./__fixtures__/writer.mjs", import.meta.url));
const top = mkdtempSync(join(tmpdir(), "turnseal-noted-"));
afterAll(() => rmSync(top, { recursive: true }));
let place = "";
let id = "";
const ran = () => existsSync(join(top, "ran"));

async function turnseal(...args: readonly string[]) {
  return sayCommand([...args, "--store", join(place, "store")], {
    TURNSEAL_ROOTS: `site=${place}/site`,
  });
}

writeFileSync(join(top, "grant.json"), '{"grantor":"ada","tools":[],"budget":{}}');

/** A run whose note names a module that somebody else wrote. */
beforeEach(async () => {
  rmSync(join(top, "ran"), { force: true });
  place = mkdtempSync(join(top, "case-"));
  mkdirSync(join(place, "site"));
  await turnseal(
    ...["run", "write", "--from", loops, "--allow", "local.write", "--input", '{"a":"1\\n"}'],
    ...["--await", "go", "--next-input", '{"a":"$.signals.go.text"}'],
  );
  const module = join(top, `other-${place.slice(-6)}.mjs`);
  writeFileSync(
    module,
    `import { writeFileSync } from "node:fs"; writeFileSync("${top}/ran", "");`,
  );
  const [name = ""] = readdirSync(join(place, "store", "origins"));
  const note = join(place, "store", "origins", name);
  const written = JSON.parse(readFileSync(note, "utf8"));
  id = written.run;
  writeFileSync(note, JSON.stringify({ ...written, from: [module] }));
});

describe("code that only the note of a run names", () => {
  test.each([
    ["runs", "--blocked"],
    ["show", "last"],
    ["explain", "last"],
    ["inbox"],
    ["drift", "last"],
    ["signal", "last", "go"],
    ["cancel", "last"],
  ])("is not run by turnseal %s %s", async (...args) => {
    await turnseal(...args.filter((arg) => arg !== undefined));
    expect(ran()).toBe(false);
  });

  test("explain says so, and how it is loaded", async () => {
    const { out } = await turnseal("explain", "last");
    expect(out).toMatch(
      /unknown: the loops of the run are code, which only a note names: .*--from/,
    );
  });

  test.each([
    ["resume", "last"],
    ["replay", "last"],
    ["rollback", "last"],
    ["fork", "last", "--from-turn", "1", "--grant", join(top, "grant.json")],
    ["drift", "last", "--reconcile", "files-win", "--yes"],
  ])("is not run from outside of the project by %s without a person", async (...args) => {
    const { code, err } = await turnseal(...args);
    expect(ran()).toBe(false);
    expect([code, err]).toEqual([64, expect.stringContaining("outside of the project")]);
    expect(err).toMatch(/next: turnseal \w+ \w{8} --from .*other-/);
  });

  test("servers of a file outside of the project are not started without a person", async () => {
    const servers = mkdtempSync(join(top, "servers-"));
    const started = [process.execPath, "-e", `require("fs").writeFileSync("${top}/ran","")`];
    writeFileSync(
      join(servers, "mcp.toml"),
      `[servers.one]\ncommand = ${JSON.stringify(started)}\nprofile = "unrestricted"\n`,
    );
    const [name = ""] = readdirSync(join(place, "store", "origins"));
    const note = join(place, "store", "origins", name);
    const written = JSON.parse(readFileSync(note, "utf8"));
    writeFileSync(note, JSON.stringify({ ...written, from: [join(servers, "mcp.toml")] }));
    const { code, err } = await turnseal("resume", "last");
    expect([code, err]).toEqual([64, expect.stringContaining("outside of the project")]);
    expect(err).toContain("mcp.toml");
    expect(ran()).toBe(false);
  });

  test("is run where the command line names it", async () => {
    const [module = ""] = readdirSync(top).filter(
      (name) => name === `other-${place.slice(-6)}.mjs`,
    );
    await turnseal("replay", id, "--from", join(top, module));
    expect(ran()).toBe(true);
  });
});
