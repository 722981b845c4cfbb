// What `npm create turnseal -- --for money` and `--for pipeline` make, from source.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { repositoryRoot } from "./tidy/tree.ts";

// In the repository, so that its imports are found.
const place = join(repositoryRoot, ".turnseal");
let folder = "";
beforeEach(() => {
  mkdirSync(place, { recursive: true });
  folder = mkdtempSync(join(place, "command-template-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Ends the process once a line is in the ledger, before the tool can answer. */
const DIE_AFTER_LINE = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const append = fs.appendFileSync;
fs.appendFileSync = (path, ...more) => {
  append(path, ...more);
  if (path === "ledger.txt") process.kill(process.pid, "SIGKILL");
};
syncBuiltinESMExports();
`;

function make(purpose: string): void {
  cpSync(join(repositoryRoot, "templates", purpose), folder, { recursive: true });
}

function runCommand(args: readonly string[], nodeArgs: readonly string[] = []) {
  const command = join(repositoryRoot, "apps/cli/bin/turnseal.js");
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const options = { cwd: folder, env: { PATH, NODE_COMPILE_CACHE }, encoding: "utf8" } as const;
  return spawnSync(process.execPath, [...nodeArgs, command, ...args], options);
}

const readLedger = () => readFileSync(join(folder, "ledger.txt"), "utf8").trim().split("\n");

test("money: a payment that was made before a kill is not made again", () => {
  make("money");
  writeFileSync(join(folder, "die.mjs"), DIE_AFTER_LINE);
  const rules = ["--policy", "policy.toml", "--grant", "grant.json"];
  const start = ["run", "refund", ...rules, "--input", '{"order":"A-3"}'];
  const killed = runCommand(start, ["--import", "./die.mjs"]);
  expect(killed.signal).toBe("SIGKILL");
  const before = readLedger();
  expect(before).toEqual([expect.stringMatching(/^A-3-\w{6} paid 225$/)]);

  const resumed = runCommand(["resume", "last"]);
  expect(resumed.stdout).toContain("2.25 is paid back");
  expect(readLedger()).toEqual(before);
});

test("pipeline: the report says why an item failed, in the words of the tool", () => {
  make("pipeline");
  const input = ["--input-file", "topics.json", "--grant", "grant.json"];
  const { status, stdout } = runCommand(["run", "research", ...input]);
  expect(status).toBe(0);
  expect(stdout).toContain('"problem": "no page about unicorns"');
});
