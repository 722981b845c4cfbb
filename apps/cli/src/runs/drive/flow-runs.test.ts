// The output for people about a run over 200 items: one line for each place of its flow, not one
// for each item.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CARDS_SHOWN_MAX } from "@turnseal/terminal/inbox";
import { afterAll, expect, test } from "vitest";
import { sayCommand } from "../../say-command.test.data.ts";

const loops = fileURLToPath(new URL("../../__fixtures__/tickets.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-flows-"));
afterAll(() => rmSync(root, { recursive: true }));

const tickets = JSON.stringify({ tickets: Array.from({ length: 200 }, (_, index) => index) });
/** A screen or two. */
const LINES_MAX = 50;

async function run(...args: string[]) {
  return sayCommand([...args, "--store", join(root, "store")]);
}

const READ =
  "triage /flow/nodes/0: 200 items: 196 ok, 4 failed (items 49, 99, 149, 199: TOOL_FAILED)";
const AGAIN = "triage /flow/nodes/0/items/*: tried again 8 times, TOOL_FAILED";
const SKIPPED = "triage /flow/nodes/1: skipped, its condition did not hold";

async function begin(loop: string, tools: string, ...more: string[]) {
  return run(
    ...["run", loop, "--from", loops, "--input", tickets, "--allow", tools],
    ...["--turns-max", "1", "--no-content", ...more],
  );
}

function countLines(text: string): number {
  return text.split("\n").length;
}

test("a run over 200 items is told in a few lines", { timeout: 120_000 }, async () => {
  const { code, err } = await begin("triage", "local.read");
  expect(code, err).toBe(0);
  expect(err).toContain("✗ 200 items: 196 ok, 4 failed");
  expect(countLines(err)).toBeLessThan(LINES_MAX);
  for (const command of ["show", "explain"]) {
    const { out } = await run(command, "last");
    for (const words of [READ, AGAIN, SKIPPED]) expect(out, command).toContain(words);
    expect(countLines(out), command).toBeLessThan(LINES_MAX);
  }
  const { latestTurns } = JSON.parse((await run("show", "last", "--json")).out);
  expect(latestTurns[0].flow.fanOuts).toMatchObject([{ items: 200, ok: 196, failed: 4, open: 0 }]);
  const { ran } = JSON.parse((await run("explain", "last", "--json")).out);
  expect(ran.flow.retried).toMatchObject([{ code: "TOOL_FAILED", count: 8 }]);
});

test("so is one of which 200 items wait for a person", { timeout: 120_000 }, async () => {
  const policy = join(root, "policy.json");
  const ask = { id: "ask", decision: "ask", tools: ["local.escalate"] };
  writeFileSync(policy, JSON.stringify({ name: "desk", rules: [ask] }));
  const { out: asked } = await begin("alarm", "local.escalate", "--policy", policy);
  expect(asked.match(/^approval /gm)).toHaveLength(CARDS_SHOWN_MAX);
  expect(asked).toMatch(/and 190 more: turnseal inbox [0-9a-f]{8}\n/);
  for (const command of ["show", "explain"]) {
    const { out } = await run(command, "last");
    expect(out, command).toContain("alarm /flow/nodes/0: 200 items: 200 not ended");
    expect(out, command).toMatch(/190( more)?: turnseal inbox /);
    expect(countLines(out), command).toBeLessThan(LINES_MAX);
  }
});
