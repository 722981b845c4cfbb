import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { BREAKDOWNS_MAX } from "./program/create-program-supply.ts";
import { type CaseResult, runSuite, type SuiteOptions } from "./run-suite.ts";

const fixture = fileURLToPath(new URL("./__fixtures__/odd-program.mjs", import.meta.url));
const command = (way: string) => [process.execPath, fixture, way];
const two = ["register/minimal-tool", "register/missing-name"];

function run(way: string, options: Partial<SuiteOptions> = {}) {
  return runSuite({ command: command(way), profile: "lsem", only: two, ...options });
}

describe("runSuite", () => {
  test("reports every case in the order of the vectors", async () => {
    const reported: CaseResult[] = [];
    const { results, passed, failed } = await runSuite(
      { command: command("proper"), profile: "lsem", only: two },
      (result) => reported.push(result),
    );
    expect(reported).toEqual(results);
    expect(results.map(({ name }) => name)).toEqual(two);
    // The fixture accepts every document and lists none.
    expect({ passed, failed }).toEqual({ passed: 0, failed: 2 });
  });

  test("selects a topic by its name with a slash", async () => {
    const { results } = await run("proper", { only: ["template/"] });
    expect(results.length).toBeGreaterThan(5);
    expect(results.every(({ name }) => name.startsWith("template/"))).toBe(true);
  });

  test.each([
    ["dies", "the program ended with code 7"],
    ["nonsense", "sent a line that is no answer"],
    ["refuses", "the program says: not today"],
    ["empty-answer", "load.documents must be a list"],
    ["dies!", "the program ended with code 7"],
  ])("fails the case at which a program %s, and says why", async (way, text) => {
    const { results } = await run(way, { only: ["register/minimal-tool"] });
    expect(results).toEqual([
      { name: "register/minimal-tool", problems: [expect.stringContaining(text)] },
    ]);
  });

  test.each([
    ["other-protocol", "the program speaks protocol 2, the suite 1"],
    ["other-profile", "the program does not offer the profile lsem"],
  ])("fails every case of a program with %s", async (way, text) => {
    const { results, failed } = await run(way);
    expect(failed).toBe(2);
    for (const { problems } of results) expect(problems).toEqual([text]);
  });

  test("fails the case at which a program is silent for too long", async () => {
    const { results } = await run("silent!", {
      only: ["register/minimal-tool"],
      patience: { startMs: 150, answerMs: 5_000 },
    });
    expect(results[0]?.problems).toEqual(["the program did not answer `hello` within 150 ms"]);
  });

  test("starts a broken program BREAKDOWNS_MAX times again, and then gives it up", async () => {
    const { results } = await run("dies", { only: ["template/"] });
    const isGivenUp = results.map(({ problems }) => problems.join().includes("broke down more"));
    expect(isGivenUp.indexOf(true)).toBe(BREAKDOWNS_MAX + 1);
    expect(isGivenUp.slice(BREAKDOWNS_MAX + 1).every(Boolean)).toBe(true);
  });
});
