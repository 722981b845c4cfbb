/**
 * The second verifier, held against the vectors and against ours. It needs python3-cryptography and
 * fails without it.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { listAttacks } from "./attacks.ts";
import { attackContext, readTalkedRun } from "./context-attacks.ts";
import { program, python, verifyWithPython } from "./python-verifier.ts";
import { readRuns } from "./read-runs.ts";
import { runAttack } from "./run-attack.ts";
import { describeVerdict, type Verdict } from "./verdict.ts";
import { type Case, verifyCase } from "./verify-case.ts";

const folder = mkdtempSync(join(tmpdir(), "turnseal-verify-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Vector {
  readonly name: string;
  readonly input: Case;
  readonly expect: Verdict;
}

const vectors = new URL("../../spec/vectors/", import.meta.url);
const layers = ["receipt", "receipt-conduct", "receipt-set", "governed-trees"];
const files = layers.flatMap((layer) =>
  readdirSync(new URL(layer, vectors)).map((file) => `${layer}/${file}`),
);

test.each(files)("it finds what the vectors of %s expect, and what ours finds", async (file) => {
  const cases: readonly Vector[] = JSON.parse(readFileSync(new URL(file, vectors), "utf8"));
  const answers = await verifyWithPython(cases.map(({ input }) => input));
  for (const [index, { name, input, expect: expected }] of cases.entries()) {
    const answer = answers[index];
    if (answer === undefined) throw new Error(`${name} is not answered`);
    // What is expected names an event and a turn; the rest of a place the two must agree upon.
    const findings = answer.findings.map(({ receipt: _, run: __, ...finding }) => finding);
    expect(describeVerdict({ ...answer, findings }), name).toBe(describeVerdict(expected));
    expect(describeVerdict(answer), name).toBe(describeVerdict(await verifyCase(input)));
  }
});

test("it accepts and refuses the logs of the grammar as the vectors expect", async () => {
  interface LogVector {
    readonly description: string;
    readonly input: { readonly events: readonly object[] };
    readonly expect: { readonly rule: string | null; readonly sequence?: number };
  }
  const file = new URL("grammar/rules.json", vectors);
  const logs: readonly LogVector[] = JSON.parse(readFileSync(file, "utf8"));
  const answers: readonly unknown[] = await verifyWithPython(
    logs.map(({ input }) => ({ log: input.events })),
  );
  expect(logs.length).toBeGreaterThan(100);
  for (const [index, { description, expect: expected }] of logs.entries())
    expect(answers[index], description).toEqual(expected);
});

test("it fits arguments to patterns as the vectors expect", async () => {
  const file = new URL("approval/patterns.json", vectors);
  const cases: readonly { readonly description: string; readonly input: object; expect: object }[] =
    JSON.parse(readFileSync(file, "utf8"));
  const answers: readonly unknown[] = await verifyWithPython(cases.map(({ input }) => input));
  for (const [index, { description, expect: expected }] of cases.entries())
    expect(answers[index], description).toEqual(expected);
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
    expect({ status, verdict }).toEqual({
      status: 0,
      verdict: { verdict: "valid", valid: true, findings: [] },
    });
  });

  test("answers 3 and the findings for one that is not", () => {
    const bundle = write("spoiled.json", { ...run?.bundle, receipts: [] });
    const { status, verdict } = verify(bundle, keys);
    expect(status).toBe(3);
    expect(verdict).toEqual({
      ...{ verdict: "invalid", valid: false },
      findings: [{ code: "RECEIPT_MISSING", turn: 1 }],
    });
  });

  test("takes a list of receipts, and a list of runs", () => {
    const receipts = write("receipts.json", run?.bundle.receipts);
    expect(verify(receipts, keys).status).toBe(0);
    const tree = write("tree.json", [run?.bundle]);
    expect(verify(tree, keys).status).toBe(0);
    expect(verify(write("none.json", []), keys).verdict.findings).toEqual([
      { code: "SET_MISSING" },
    ]);
  });

  test.each([
    ["a key twice", { keys: [run?.keys[0], run?.keys[0]] }],
    ["a key under another name", { keys: [{ ...run?.keys[0], keyId: "other" }] }],
    ["a time that is none", { keys: [{ ...run?.keys[0], validFrom: "2026-02-30T00:00:00.000Z" }] }],
    ["no list", {}],
  ])("refuses keys with %s", (_, set) => {
    const given = [write("run.json", run?.bundle), write("bad-keys.json", set)];
    const { status, stdout } = spawnSync(python, [program, ...given], { encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 64, stdout: "" });
  });

  test("says how it is used when it is used otherwise", () => {
    const { status, stderr } = spawnSync(python, [program, "--strict"], { encoding: "utf8" });
    expect(status).toBe(64);
    expect(stderr).toContain("usage: verify_receipt.py");
  });

  test("refuses the demo key in production", () => {
    const { status, verdict } = verify("--production", write("run.json", run?.bundle), keys);
    expect(status).toBe(3);
    expect(verdict.findings[0]).toEqual({ code: "KEY_DEMO", receipt: 0 });
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

  test("what a model was shown, exchanged in any field, is found by both", async () => {
    const talked = await readTalkedRun();
    const honest = await runAttack({ name: "none", codes: [], attempts: [talked] }, 1);
    expect(honest).toMatchObject({ rejected: 0, pythonRejected: 0, disagreed: 0 });
    const result = await runAttack(attackContext(talked), 100);
    expect(result.attempts).toBeGreaterThan(50);
    expect(result.rejected).toBe(result.attempts);
    expect(result.pythonRejected).toBe(result.pythonAttempts);
    expect(result).toMatchObject({ wrongCodes: 0, disagreed: 0 });
  });

  test("a run that was not changed is accepted by both", async () => {
    const untouched = { name: "none", codes: [], attempts: readRuns() };
    const result = await runAttack(untouched, 8);
    expect(result).toMatchObject({ rejected: 0, pythonRejected: 0, disagreed: 0 });
  });
});
