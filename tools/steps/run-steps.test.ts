import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runSteps, type Step } from "./run-steps.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-steps-"));
});
afterEach(() => rmSync(root, { recursive: true }));

async function run(steps: readonly Step[]): Promise<{ isDone: boolean; text: string }> {
  let text = "";
  let time = 0;
  const isDone = await runSteps(steps, {
    root,
    write: (more) => {
      text += more;
    },
    now: () => {
      time += 750;
      return time;
    },
  });
  return { isDone, text };
}

/** A command that leaves a report of vitest, and then fails when a test has failed. */
function reporting(report: { passed: number; failed: number; broken?: number }): Step {
  const { passed, failed, broken = 0 } = report;
  const content = JSON.stringify({
    numPassedTests: passed,
    numTotalTests: passed + failed,
    testResults: [
      { name: join(root, "sums.test.ts"), status: "failed", assertionResults: listResults(failed) },
      ...Array.from({ length: broken }, () => ({
        name: join(root, "broken.test.ts"),
        status: "failed",
        message: "no such module\nat line 1",
        assertionResults: [],
      })),
    ],
  });
  writeFileSync(join(root, "content.json"), content);
  const copy = `node -e "fs.copyFileSync('content.json', 'report.json')"`;
  const command = failed + broken > 0 ? `${copy} && exit 1` : copy;
  return { name: "tests", command, report: "report.json" };
}

function listResults(failed: number): readonly unknown[] {
  const passed = { status: "passed", fullName: "one is one", failureMessages: [] };
  const failure = { status: "failed", failureMessages: ["expected 2, got 3\nat line 7"] };
  const names = Array.from({ length: failed }, (_, index) => `sum ${index}`);
  return [passed, ...names.map((fullName) => ({ ...failure, fullName }))];
}

const good: Step = { name: "good", command: "node -e 1" };

test("steps that pass are quiet, with a name and a time each", async () => {
  const { isDone, text } = await run([{ name: "loud", command: "echo hello" }, good]);
  expect(isDone).toBe(true);
  expect(text).toBe("ok   loud    0.8 s\nok   good    0.8 s\n0 passed, 0 failed\n");
});

test("the first failure stops the rest, shows its output and how to run it alone", async () => {
  const bad: Step = { name: "bad", command: "echo because && exit 3" };
  const { isDone, text } = await run([bad, good]);
  expect(isDone).toBe(false);
  expect(text).toContain("because");
  expect(text).toContain("bad failed. Run it alone:\n  echo because && exit 3\n");
  expect(text).not.toContain("good");
  expect(text.trimEnd().endsWith("\n0 passed, 1 failed")).toBe(true);
});

test("a command that does not exist is a failure", async () => {
  expect((await run([{ name: "none", command: "no-such-program-here" }])).isDone).toBe(false);
});

test("reports are counted and summed up", async () => {
  const step = reporting({ passed: 12, failed: 0 });
  const { text } = await run([step, step]);
  expect(text).toMatch(/\n24 passed, 0 failed\n$/);
});

test("failed tests are counted once", async () => {
  const { isDone, text } = await run([reporting({ passed: 12, failed: 2 })]);
  expect(isDone).toBe(false);
  expect(text).toMatch(/\n12 passed, 2 failed\n$/);
});

test("failed tests are named, with what they said first, before anything else", async () => {
  const { text } = await run([reporting({ passed: 12, failed: 2, broken: 1 })]);
  expect(text.split("\n").slice(1, 5)).toEqual([
    "     sums.test.ts > sum 0: expected 2, got 3",
    "     sums.test.ts > sum 1: expected 2, got 3",
    "     broken.test.ts: no such module",
    "",
  ]);
});

test("a test file that cannot be loaded is a failed test", async () => {
  const { text } = await run([reporting({ passed: 3, failed: 0, broken: 1 })]);
  expect(text).toMatch(/\n3 passed, 1 failed\n$/);
});

test("a missing report is a failed test, also where an earlier run left one", async () => {
  const step = reporting({ passed: 5, failed: 0 });
  const { text } = await run([step, { ...step, command: "exit 1" }]);
  expect(text).toMatch(/\n5 passed, 1 failed\n$/);
});

describe("what failed beside others has a second try, alone", () => {
  const files = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      name: join(root, `sums-${index}.test.ts`),
      status: "failed",
      assertionResults: listResults(1),
    }));
  /** Fails with so many files, then leaves what the second try says. */
  function failing(count: number, alone: (tried: readonly string[]) => string): Step {
    const report = { numPassedTests: 5, numTotalTests: 5 + count, testResults: files(count) };
    writeFileSync(join(root, "content.json"), JSON.stringify(report));
    const command = `node -e "fs.copyFileSync('content.json', 'report.json')" && exit 1`;
    return { name: "tests", command, report: "report.json", alone };
  }

  test("and when it passes, the step is done and says so", async () => {
    const tried: string[] = [];
    const step = failing(1, (given) => {
      tried.push(...given);
      return "node -e 1";
    });
    const { isDone, text } = await run([step]);
    expect(isDone).toBe(true);
    expect(tried).toEqual(["sums-0.test.ts"]);
    expect(text).toContain("6 passed, 0 failed");
    expect(text).toContain(
      "failed beside others, passed alone: sums-0.test.ts > sum 0: expected 2",
    );
  });

  test("and when it fails again, the step fails", async () => {
    const { isDone, text } = await run([failing(1, () => "echo again && exit 1")]);
    expect(isDone).toBe(false);
    expect(text).toContain("5 passed, 1 failed");
    expect(text).toContain("again");
  });

  test("but where more than three files failed there is none", async () => {
    const { isDone } = await run([failing(4, () => "node -e 1")]);
    expect(isDone).toBe(false);
  });
});
