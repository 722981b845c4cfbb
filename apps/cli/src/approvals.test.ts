// An approval from the command that waits to the one that verifies, each in a process of its own.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const bin = fileURLToPath(new URL("../bin/turnseal.js", import.meta.url));
const loops = fileURLToPath(new URL("./__fixtures__/desk.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "turnseal-approvals-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
}

function run(args: readonly string[], roles = ""): Promise<Ended> {
  const env = { PATH: process.env["PATH"], TURNSEAL_ROLES: roles };
  const child = spawn(process.execPath, [bin, ...args], { cwd: folder, env });
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, out }));
  });
}

async function until(isTrue: () => boolean): Promise<void> {
  for (const endMs = Date.now() + 30_000; Date.now() < endMs; await wait(50)) if (isTrue()) return;
  throw new Error("it did not come true in time");
}

const ledger = join(folder, "paid.txt");
const readLedger = (): string => (existsSync(ledger) ? readFileSync(ledger, "utf8") : "");

const rules = `
name = "desk"

[[rules]]
id = "payments"
decision = "allow"

[[rules]]
id = "large"
decision = "ask"
when = "args.cents > 1000"
role = "finance"
`;

test("a run in the background parks, is approved from elsewhere, and pays once", {
  timeout: 60_000,
}, async () => {
  writeFileSync(join(folder, "rules.toml"), rules);
  const input = JSON.stringify({ asks: [{ ledger, to: "ada", cents: 1200 }] });
  const begin = ["run", "desk", "--from", loops, "--input", input, "--allow", "local.pay"];
  const started = await run([...begin, "--policy", "rules.toml", "--detach"]);
  const log = /^ {2}log {7}(.+)$/m.exec(started.out)?.[1] ?? "";
  // The worker ends when only a person can help; what it printed holds no argument.
  await until(() => readFileSync(log, "utf8").includes("next: turnseal approve"));
  expect(readFileSync(log, "utf8")).toMatch(/decides {3}one person with the role finance/);
  expect(readFileSync(log, "utf8")).not.toContain("1200");
  await until(() => readFileSync(log, "utf8").includes("the whole card: "));
  // Two of the same mind at once are one word.
  const both = await Promise.all([
    run(["approve", "last"], "finance"),
    run(["approve", "last"], "finance"),
  ]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(both.filter(({ out }) => out.includes("saved before"))).toHaveLength(1);
  expect(readLedger()).toBe("");
  const resumed = await run(["resume", "--detach", "--from", loops]);
  expect(resumed.code).toBe(0);
  await until(() => readFileSync(log, "utf8").includes("stopped: goal-reached"));
  expect(readLedger()).toBe("ada 1200\n");
  const verified = await run(["verify", "last"]);
  expect(verified.code).toBe(0);
  expect(verified.out).toMatch(/local\.pay \(event \d+\): approved by \S+ \(finance\)/);
  expect((await run(["replay", "last", "--diff", "--from", loops])).out).toContain(
    "✓ turn 1  identical",
  );
});

test("a run whose loop has changed since does not go on after a yes", {
  timeout: 60_000,
}, async () => {
  const [copy, store] = [join(folder, "desk.mjs"), join(folder, "changed")];
  const text = readFileSync(loops, "utf8");
  writeFileSync(copy, text);
  writeFileSync(join(folder, "rules.toml"), rules);
  const input = JSON.stringify({ asks: [{ ledger, to: "ada", cents: 1300 }] });
  const place = ["--store", store];
  const begin = ["run", "desk", "--from", copy, "--input", input, "--allow", "local.pay"];
  expect((await run([...begin, "--policy", "rules.toml", ...place])).code).toBe(2);
  writeFileSync(
    copy,
    text.replace('cents: { type: "integer", minimum: 1 }', 'cents: { type: "integer" }'),
  );
  const said = await run(["approve", "last", ...place], "finance");
  expect(said.code).toBe(0);
  expect(said.out).toContain("local.pay is approved by");
  const kept = await run(["resume", ...place]);
  expect(kept.code).not.toBe(0);
  expect(kept.out).toMatch(/pay 1\.0\.0 has changed since the run started/);
  writeFileSync(copy, text);
  expect((await run(["resume", ...place])).code).toBe(0);
  expect(readLedger()).toContain("ada 1300\n");
});
