/**
 * The second verifier, held against the vectors and against ours. It needs python3-cryptography and
 * fails without it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { verifyBundle } from "@turnseal/protocol/receipts";
import { afterAll, describe, expect, test } from "vitest";
import { listAttacks } from "./attacks.ts";
import { verifyWithPython } from "./python-verifier.ts";
import { readRuns, readVectors } from "./read-runs.ts";
import { agree, runAttack } from "./run-attack.ts";

const program = fileURLToPath(new URL("../../spec/verify_receipt.py", import.meta.url));
const python = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
const folder = mkdtempSync(join(tmpdir(), "turnseal-verify-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("it is at most 150 lines", () => {
  expect(readFileSync(program, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});

test.each([
  "valid-runs",
  "spoiled-events",
  "spoiled-receipts",
  "broken-budgets",
  "governed-runs",
  "approved-runs",
])("it finds what the vectors of %s expect, and what our verifier finds", async (file) => {
  const vectors = readVectors(file);
  const answers = await verifyWithPython(vectors.map(({ input }) => input));
  for (const [index, { name, input, expect: expected }] of vectors.entries()) {
    const { bundle, ...trust } = input;
    expect(agree(expected, answers[index]), name).toBe(true);
    expect(agree(await verifyBundle(bundle, trust), answers[index]), name).toBe(true);
    expect(answers[index]?.valid, name).toBe(expected.valid);
  }
});

describe("the command", () => {
  const [run] = readRuns();
  const write = (name: string, value: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(value));
    return path;
  };
  const keys = write("keys.json", { keys: run?.keys });
  const verify = (...given: string[]) => {
    const { status, stdout } = spawnSync(python, [program, ...given], { encoding: "utf8" });
    return { status, verdict: JSON.parse(stdout) };
  };

  test("answers 0 and a verdict for a run that is valid", () => {
    const { status, verdict } = verify(write("run.json", run?.bundle), keys);
    expect({ status, verdict }).toEqual({ status: 0, verdict: { valid: true, findings: [] } });
  });

  test("answers 3 and the findings for one that is not", () => {
    const bundle = write("spoiled.json", { ...run?.bundle, receipts: [] });
    const { status, verdict } = verify(bundle, keys);
    expect(status).toBe(3);
    expect(verdict).toEqual({ valid: false, findings: [{ code: "RECEIPT_MISSING", turn: 1 }] });
  });

  test("refuses the demo key in production", () => {
    const { status, verdict } = verify("--production", write("run.json", run?.bundle), keys);
    expect(status).toBe(3);
    expect(verdict.findings[0]).toEqual({ code: "KEY_DEMO" });
  });
});

describe("attacks", () => {
  test.each(listAttacks(readRuns().slice(0, 3)).filter(({ name }) => !name.startsWith("flip")))(
    "$name: every attempt is rejected with its code, by both",
    async (attack) => {
      const result = await runAttack(attack, 8);
      expect(result.attempts).toBeGreaterThan(0);
      expect(result.rejected).toBe(result.attempts);
      expect(result.pythonRejected).toBe(result.pythonAttempts);
      expect(result).toMatchObject({ wrongCodes: 0, disagreed: 0 });
    },
  );

  test("a run that was not changed is accepted by both", async () => {
    const untouched = { name: "none", codes: [], attempts: readRuns() };
    const result = await runAttack(untouched, 8);
    expect(result).toMatchObject({ rejected: 0, pythonRejected: 0, disagreed: 0 });
  });
});
