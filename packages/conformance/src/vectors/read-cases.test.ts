import { readdirSync, readFileSync } from "node:fs";
import { EVENT_TYPES } from "@turnseal/protocol/events";
import { describe, expect, test } from "vitest";
import { GRAPH_JUDGED, JUDGED, SESSION_JUDGED } from "../program/judged.ts";
import { DATA_SOURCES, GOVERNED_SOURCES, SESSION_SOURCES } from "./data-cases.ts";
import { EVENT_RULE_NAMES } from "./event-rule-names.ts";
import {
  PROFILES,
  readCallCases,
  readCases,
  readContextCases,
  readGovernedCases,
  readGraphCases,
  readSessionCases,
  readStepCases,
} from "./read-cases.ts";
import { SESSION_RULE_NAMES } from "./session-rule-names.ts";
import {
  FLOW_METHODS,
  GOVERNED_METHODS,
  GRAPH_METHODS,
  SESSION_METHODS,
  STEP_METHODS,
} from "./step-case.ts";
import { TRACE_RULE_NAMES } from "./trace-rule-names.ts";

const vectors = new URL("../../../../spec/vectors/", import.meta.url);

function readVectors(file: string): unknown[] {
  return JSON.parse(readFileSync(new URL(file, vectors), "utf8")) as unknown[];
}

function listFiles(folder: string): string[] {
  const names = readdirSync(new URL(`${folder}/`, vectors));
  return names.filter((name) => name.endsWith(".json")).map((name) => `${folder}/${name}`);
}

const logFiles = [...listFiles("log-runs"), ...DATA_SOURCES.flatMap(({ files }) => files)];
const filesOf = {
  lsem: listFiles("lsem"),
  log: logFiles,
  governed: [
    ...logFiles,
    ...listFiles("governed-runs"),
    ...GOVERNED_SOURCES.flatMap(({ files }) => files),
  ],
  session: [...listFiles("session-runs"), ...listFiles("session")],
  context: listFiles("context-runs"),
  flow: listFiles("flow-runs"),
  graph: [...listFiles("graph-runs"), ...listFiles("graph")],
};

describe.each(PROFILES)("the vectors of %s", (profile) => {
  const cases = readCases(profile);

  test("are well formed, each with a name of its own", () => {
    const written = filesOf[profile].flatMap(readVectors);
    expect(cases).toHaveLength(written.length);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(written.length);
  });

  test("script no behaviour that says two things at once", () => {
    for (const { name, input } of cases) {
      const { backends = {}, tools = {} } = input?.script ?? {};
      const actions = Object.values(tools).flatMap((tool) =>
        "calls" in tool ? tool.calls.flat() : tool,
      );
      for (const action of actions) expect(Object.keys(action), name).toHaveLength(1);
      const replies = Object.values(backends).flatMap((backend) =>
        "replies" in backend ? backend.replies : backend,
      );
      for (const { usage: _, ...reply } of replies) {
        expect(Object.keys(reply), name).toHaveLength(1);
      }
    }
  });
});

test.each([
  ...["lsem", "log-runs", "governed-runs", "session-runs"],
  ...["context-runs", "flow-runs", "graph-runs"],
])("the cases of %s stand in the file of their topic", (folder) => {
  for (const file of listFiles(folder)) {
    const topic = file.slice(folder.length + 1, -".json".length);
    for (const item of readVectors(file) as { name: string; description: string }[]) {
      expect(item.name.split("/")[0]).toBe(topic);
      expect(item.description, item.name).toMatch(/^[A-Z`].*\.$/);
    }
  }
});

describe("the cases about calls", () => {
  const cases = readCallCases();

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
});

describe("the cases about runs", () => {
  const steps = readStepCases().flatMap((item) => item.steps);

  test("ask for every method and every event rule", () => {
    const others = new Set([
      ...[...GOVERNED_METHODS, ...SESSION_METHODS, ...FLOW_METHODS],
      ...GRAPH_METHODS,
    ]);
    const methods = STEP_METHODS.filter((method) => !others.has(method));
    expect(new Set(steps.map(({ ask }) => ask))).toEqual(new Set(methods));
    const rules = steps.flatMap(({ expect }) => expect?.rules ?? []);
    expect(new Set(rules)).toEqual(new Set(EVENT_RULE_NAMES));
  });

  test("take the data of the specification whole", () => {
    const names = readStepCases().map(({ name }) => name);
    expect(names).toContain("canonical-json/the-sample-of-rfc-8785-section-3-2-2");
    expect(names).toContain("chain/one-event");
    expect(names).toContain("receipt/one-turn");
    expect(names).toContain("receipt-set/two-runs");
  });
});

describe("the cases about runs under rules", () => {
  const cases = readGovernedCases();
  const steps = cases.flatMap((item) => item.steps);

  test("ask for every method, and for everything that can be judged", () => {
    const others = [...SESSION_METHODS, ...FLOW_METHODS, ...GRAPH_METHODS];
    const methods = STEP_METHODS.filter((method) => !others.includes(method));
    expect(new Set(steps.map(({ ask }) => ask))).toEqual(new Set(methods));
    const judged = steps.filter(({ ask }) => ask === "judge").map((step) => step.with?.["what"]);
    expect(new Set(judged)).toEqual(new Set(JUDGED));
  });

  test("are all those about runs, and more", () => {
    const names = new Set(cases.map(({ name }) => name));
    for (const { name } of readStepCases()) expect(names).toContain(name);
    expect(names).toContain("approvals/approved");
    expect(names).toContain("attenuate/what-is-narrower-is-accepted-with-a-proof");
    expect(names).toContain("receipt-tree/one-run-too-deep");
    // Two vectors with one description are two cases.
    expect(names).toContain("excess/one-more-does-not-2");
  });
});

describe("the cases about sessions", () => {
  const cases = readSessionCases();
  const steps = cases.flatMap((item) => item.steps);

  test("ask for every method and rule of sessions, and for everything that can be judged", () => {
    const asked = new Set(steps.map(({ ask }) => ask));
    for (const method of SESSION_METHODS) expect(asked).toContain(method);
    const rules = steps.flatMap(({ expect }) => expect?.sessionRules ?? []);
    expect(new Set(rules)).toEqual(new Set(SESSION_RULE_NAMES));
    const judged = steps.filter(({ ask }) => ask === "judge").map((step) => step.with?.["what"]);
    expect(new Set(judged)).toEqual(new Set(SESSION_JUDGED));
    expect(SESSION_SOURCES).toHaveLength(SESSION_JUDGED.length);
  });

  test("give every type of event a content that is taken, and one that is not", () => {
    const contents = cases.filter(({ name }) => name.startsWith("event-content/"));
    const seen = new Map<string, Set<unknown>>();
    for (const {
      steps: [step],
    } of contents) {
      const { type } = (step?.with?.["given"] ?? {}) as { readonly type?: string };
      const verdicts = seen.get(String(type)) ?? new Set();
      seen.set(String(type), verdicts.add(step?.expect?.answer?.["valid"]));
    }
    expect([...seen.keys()].sort()).toEqual([...EVENT_TYPES].sort());
    for (const [type, verdicts] of seen) expect(verdicts, type).toEqual(new Set([true, false]));
  });
});

describe("the cases about graphs", () => {
  const cases = readGraphCases();

  test("ask for every method of graphs, and for everything that can be judged", () => {
    const steps = cases.flatMap((item) => item.steps);
    const asked = new Set(steps.map(({ ask }) => ask));
    for (const method of GRAPH_METHODS) expect(asked).toContain(method);
    const judged = steps.filter(({ ask }) => ask === "judge").map((step) => step.with?.["what"]);
    expect(new Set(judged)).toEqual(new Set(GRAPH_JUDGED));
  });

  test("carry out each flow of the profiles, in the words of objects and as a plan", () => {
    const names = new Set(cases.map(({ name }) => name));
    const flows = [
      "flow-01",
      "flow-02",
      "flow-03",
      "flow-04",
      "flow-05",
      "sa-flow-01",
      "sa-flow-02",
    ];
    for (const flow of flows)
      for (const topic of ["agent-flows", "planned-flows"])
        expect(names).toContain(`${topic}/${flow}`);
    for (const flow of ["map-flow-01", "map-flow-02"]) expect(names).toContain(`tables/${flow}`);
  });
});

test("each case about context compares every message of every request, or a refusal", () => {
  // Those about caches compare whether there is a request.
  const cases = readContextCases().filter(({ name }) => !name.startsWith("caches/"));
  for (const { name, steps } of cases) {
    const advanced = steps.filter(({ ask }) => ask === "advance");
    const requests = advanced.map(({ expect }) => expect?.answer?.["backendRequests"]);
    for (const made of requests)
      expect(made, name).toSatisfy(
        (list) => Array.isArray(list) && list.every(({ messages }) => messages.length > 0),
      );
    const isRefused = steps.some(({ expect }) => expect?.answer?.["kind"] === "refused");
    expect(requests.length > 0 || isRefused, name).toBe(true);
  }
});
