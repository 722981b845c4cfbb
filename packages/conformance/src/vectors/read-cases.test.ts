import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PROFILES, readCases } from "./read-cases.ts";
import { TRACE_RULE_NAMES } from "./trace-rule-names.ts";

const folder = new URL("../../../../spec/vectors/lsem/", import.meta.url);

describe.each(PROFILES)("the vectors of %s", (profile) => {
  const cases = readCases(profile);

  test("are well formed, each with an expectation and a name of its own", () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
    const written = files.flatMap(
      (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as unknown[],
    );
    expect(cases).toHaveLength(written.length);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(written.length);
  });

  test("stand in the file of their topic and are described by a sentence", () => {
    for (const { name, description } of cases) {
      expect(readdirSync(folder)).toContain(`${name.split("/")[0]}.json`);
      expect(description, name).toMatch(/^[A-Z`].*\.$/);
    }
  });

  test("ask for every trace rule", () => {
    const asked = cases.flatMap(({ expect }) =>
      (expect.calls ?? []).flatMap((call) => call.rules ?? []),
    );
    expect(new Set(asked)).toEqual(new Set(TRACE_RULE_NAMES));
  });

  test("look at the payload of every event type that LSEM defines", () => {
    const looked = cases.flatMap(({ expect }) =>
      (expect.calls ?? []).flatMap((call) => (call.payloads ?? []).map(({ type }) => type)),
    );
    expect([...new Set(looked)].sort()).toEqual([
      "call.backend.requested",
      "call.backend.responded",
      "call.completed",
      "call.errored",
      "call.input.validated",
      "call.output.validated",
      "call.started",
      "call.tool.invoked",
      "call.tool.returned",
      "child.completed",
      "child.started",
      "log",
    ]);
  });

  test("script no behaviour that says two things at once", () => {
    for (const { name, input } of cases) {
      const { backends = {}, tools = {} } = input.script ?? {};
      for (const action of Object.values(tools).flat()) {
        expect(Object.keys(action), name).toHaveLength(1);
      }
      for (const { usage: _, ...reply } of Object.values(backends).flat()) {
        expect(Object.keys(reply), name).toHaveLength(1);
      }
    }
  });
});
