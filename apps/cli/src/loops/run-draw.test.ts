import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sayCommand } from "../say-command.test.data.ts";
import { sampleLoops } from "./sample.test.data.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-draw-"));
  for (const loop of sampleLoops)
    writeFileSync(join(root, `${loop.id}.json`), JSON.stringify(loop));
});
afterAll(() => rmSync(root, { recursive: true }));

async function run(...args: string[]) {
  return sayCommand(args);
}

describe("turnseal draw", () => {
  test.each([
    [[], "triage 1.0.0\nsequence\n├─ call search  as found\n"],
    [["--as", "terminal"], "triage 1.0.0\nsequence\n├─ call search  as found\n"],
    [["--as", "mermaid"], 'flowchart TD\n  n0(["triage 1.0.0"])\n'],
    [["--as", "svg"], '<svg xmlns="http://www.w3.org/2000/svg" font-family='],
    [["--version", "1.0.0"], "triage 1.0.0\n"],
  ])("draws a loop: %j", async (options, beginning) => {
    const { code, out, err } = await run("draw", "triage", "--from", root, ...options);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.slice(0, beginning.length)).toBe(beginning);
    expect(out.endsWith("\n")).toBe(true);
  });

  test("takes a file, beside the loops that it calls", async () => {
    const { code, out } = await run("draw", join(root, "triage.json"), "--from", root);
    expect({ code, first: out.split("\n")[0] }).toEqual({ code: 0, first: "triage 1.0.0" });
  });

  test.each([
    [["triage", "--as", "pdf"], 64, "Allowed choices are terminal, mermaid, svg.", "--help"],
    [["absent"], 1, "there is no loop absent", "turnseal loops --from"],
    [["triaeg"], 1, "there is no loop triaeg: did you mean triage?", "turnseal loops --from"],
    [["triage", "--version", "9.0.0"], 1, "there is no loop triage 9.0.0", "turnseal loops"],
    [[], 64, "missing required argument 'loop'", "turnseal draw --help"],
  ])("says what is wrong with %j, and what to try", async (args, expected, message, next) => {
    const { code, out, err } = await run("draw", ...args, "--from", root);
    expect({ code, out }).toEqual({ code: expected, out: "" });
    expect(err).toContain(message);
    expect(err).toMatch(/^ {2}next: /m);
    expect(err).toContain(next);
  });

  test("draws nothing of a flow that is refused", async () => {
    const flow = { kind: "repeat", until: "lst.ok", max: 2, body: { kind: "cal" } };
    const file = join(root, "wrong.json");
    const wrong = { ...sampleLoops[0], id: "wrong", composite: { flow } };
    writeFileSync(file, JSON.stringify(wrong));
    const { code, out, err } = await run("draw", file);
    rmSync(file);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("kind-unknown");
    expect(err).toContain("mend: write call, or one of call, sequence");
  });
});

test("turnseal check --bounds shows what a flow comes to at most", async () => {
  const { code, out } = await run("check", root, "--bounds", "--turns-max", "2");
  expect(code).toBe(0);
  expect(out.slice(out.indexOf("triage 1.0.0  at most")).split("\n")).toEqual([
    "triage 1.0.0  at most",
    "  time      15 min a turn, 30 min a run of 2",
    // Five tries and another, three at once, fifty items, 51 visits, and the loop itself.
    "  calls     111 of loops a turn, 222 a run of 2",
    "  models    0 requests a turn, 0 a run of 2",
    "  tools     330 executions a turn, 660 a run of 2",
    "  input     0 tokens a turn, 0 a run of 2",
    "  output    0 tokens a turn, 0 a run of 2",
    "  waits     1 a turn, 2 a run of 2",
    "  default   triage: timeoutMs 900000",
    "  default   triage /composite/flow/nodes/3: maxTransitions 50",
    "",
  ]);
});

test("turnseal check --bounds says where an amount is too large to be counted", async () => {
  const repeat = (body: object) => ({ kind: "repeat", until: "true", max: 1_000, body });
  const body = { kind: "call", loopId: "ask-it", inputMapping: {} };
  const flow = [1, 2, 3, 4, 5].reduce<object>(repeat, body);
  const prompt = { template: "Say", variables: [] };
  const header = { version: "1.0.0", inputSchema: true, outputSchema: true };
  const loops = [
    { ...header, id: "ask-it", name: "ask-it", kind: "prompt", prompt },
    { ...header, id: "deep", name: "deep", kind: "composite", composite: { flow } },
  ];
  const folder = mkdtempSync(join(tmpdir(), "turnseal-deep-"));
  for (const loop of loops) writeFileSync(join(folder, `${loop.id}.json`), JSON.stringify(loop));
  const { code, out } = await run("check", folder, "--bounds");
  rmSync(folder, { recursive: true });
  expect(code).toBe(0);
  expect(out).toContain("  calls     5000 of loops a turn, 40000 a run of 8\n");
  expect(out).toContain(
    "  input     too many to count tokens a turn, too many to count a run of 8\n",
  );
  expect(out).toMatch(/^ {2}events {4}7000000000000002 or more when all of it happens: 10000 fit/m);
});

test("turnseal check --bounds says what a flow costs at most, or what is missing", async () => {
  const header = { version: "1.0.0", inputSchema: true, outputSchema: true };
  const prompt = { template: "Say", variables: [], maxTokens: 10 };
  const body = { kind: "call", loopId: "say", inputMapping: {} };
  const flow = { kind: "forEach", items: "$.input", max: 3, body };
  const backend = { id: "openai", model: "one-of-mine" };
  const loops = [
    { ...header, id: "say", name: "say", kind: "prompt", prompt, backend },
    { ...header, id: "each", name: "each", kind: "composite", composite: { flow } },
  ];
  const folder = mkdtempSync(join(tmpdir(), "turnseal-priced-"));
  for (const loop of loops) writeFileSync(join(folder, `${loop.id}.json`), JSON.stringify(loop));
  const prices = join(folder, "prices.txt");
  const price = { inputMicrosPerMillion: 0, outputMicrosPerMillion: 1_000_000 };
  const table = { asOf: "2026-01-01", models: { "openai/one-of-mine": price } };
  writeFileSync(prices, JSON.stringify(table));
  const unknown = await run("check", folder, "--bounds");
  const known = await run("check", folder, "--bounds", "--prices", prices);
  writeFileSync(prices, "{}");
  const broken = await run("check", folder, "--bounds", "--prices", prices);
  rmSync(folder, { recursive: true });
  expect(unknown.out).toContain(
    "  money     no price is known for openai/one-of-mine: --prices <file>\n",
  );
  const [, requests = ""] = /^ {2}models {4}(\d+) requests/m.exec(known.out) ?? [];
  const cost = ((Number(requests) * 10) / 1_000_000).toFixed(4);
  expect(known.out).toContain(`  money     ${cost} a turn, `);
  expect(broken.code).not.toBe(0);
  expect(broken.err).toContain("is not a table of prices");
});
