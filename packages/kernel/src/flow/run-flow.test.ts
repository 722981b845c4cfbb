/** Flows in turns: after any crash they take the same way and act once. */
import type { FlowNode, LoopEvent, Mapping } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { promptLoop } from "../call/sample-world.test.data.ts";
import { checkLoop } from "../definition/check-loop.ts";
import { NODE_RUNS_MAX } from "../limits.ts";
import { pinReferences } from "../registry/pin-references.ts";
import { replaySample } from "../turn/replay-sample.test.data.ts";
import { crashAt, registerAll } from "../turn/sample-run.test.data.ts";
import {
  callFlow,
  crashOnce,
  driveOn,
  flaky,
  flowLoop,
  LONG_MS,
  MOMENTS,
  openFlow,
  sampleLoops,
  say,
  sayMapped,
  sequence,
  wayOf,
} from "./nodes/sample-flow.test.data.ts";

const rounds: FlowNode = {
  kind: "repeat",
  name: "rounds",
  max: 5,
  until: "last.n == 2",
  body: sayMapped({ n: { cel: "round" }, before: "$.last.n" }),
};

const states: FlowNode = {
  kind: "machine",
  name: "checked",
  initial: "check",
  states: {
    check: {
      onEntry: say("check again"),
      body: sayMapped({ isFixed: { cel: "has(states.fix)" } }),
      onExit: say("checked"),
      transitions: [{ when: "result.output.isFixed", next: "done" }, { next: "fix" }],
    },
    fix: { body: say("fix"), transitions: [{ next: "check" }] },
    done: { terminal: true },
  },
};

/** Every kind of node that runs alone, and every way in which one can end. */
const flows: Readonly<Record<string, FlowNode>> = {
  call: say("a"),
  sequence: sequence(say("a", { name: "a" }), sayMapped({ text: "$.a.output.text" })),
  branch: {
    kind: "branch",
    cases: [{ when: "input.n > 1", do: say("large") }],
    else: sequence(say("small"), say("smaller")),
  },
  repeat: rounds,
  machine: states,
  "retry at once": flaky(2, { retry: { strategy: "immediate" } }),
  "retry in place": flaky(2, { retry: { strategy: "fixed", delayMs: 1_000 } }),
  "retry later": flaky(2, { retry: { strategy: "fixed", delayMs: LONG_MS, jitter: true } }),
  otherwise: flaky(9, {
    retry: { strategy: "immediate", max: 2 },
    otherwise: sayMapped({ text: "$.error.code" }),
  }),
  skip: sequence(say("a"), flaky(9, { onError: "skip" }), say("c")),
  continue: sequence(
    flaky(9, { name: "b", onError: "continue" }),
    sayMapped({ text: "$.b.error.code" }),
  ),
  blocked: sequence(
    flaky(9, { name: "a", critical: false }),
    sayMapped({ text: "$.a.output" }),
    say("c"),
  ),
  when: sequence(say("a", { when: "input.n > 5" }), say("b", { when: "input.n == 1" })),
  fails: sequence(say("a"), flaky(9), say("c")),
  nested: sequence(
    { ...rounds, body: sequence({ ...states, name: "inner" }, sayMapped({ n: { cel: "round" } })) },
    say("end"),
  ),
};

const input = { n: 1 };

const reading = sampleLoops.map(({ tool }) => tool?.implementation ?? "");

test.each(Object.entries(flows))("a crash at any append changes nothing: %s", async (_, flow) => {
  const calm = openFlow(flow, { input });
  await driveOn(calm.run);
  const way = wayOf(await calm.run.events());
  const [end] = await calm.run.contents("turn.closed");
  let crashes = 0;
  for (const moment of MOMENTS) {
    for (let place = 1; ; place++) {
      const crashed = await crashOnce(flow, { moment, place, input });
      if (crashed === undefined) break;
      crashes += 1;
      const { run, keys } = crashed;
      expect(wayOf(await run.events()), `${moment} ${place}`).toEqual(way);
      const [{ outcome, reason, output } = {}] = await run.contents("turn.closed");
      expect({ outcome, reason, output }).toEqual({
        outcome: end?.outcome,
        reason: end?.reason,
        output: end?.output,
      });
      const settled = (await run.contents("action.settled")).map(({ key }) => key);
      expect(new Set(settled).size).toBe(settled.length);
      expect(new Set(keys)).toEqual(new Set(calm.keys));
    }
  }
  expect(crashes).toBeGreaterThan(3);
});

test.each(Object.entries(flows))(
  "a closed turn replays, whatever the time: %s",
  async (_, flow) => {
    const { run } = openFlow(flow, { input });
    await driveOn(run);
    for (const nowMs of [0, Date.parse("2030-01-01T00:00:00.000Z")])
      expect(await replaySample(run, { nowMs, reading })).toEqual({ kind: "identical" });
  },
);

const before = sequence(
  say("a", { name: "a" }),
  flaky(1, { retry: { strategy: "fixed", delayMs: LONG_MS } }),
  say("c"),
);

/** The same flow after a change that its log does not fit. */
const changed: Readonly<Record<string, FlowNode>> = {
  "a node before": sequence(say("new"), say("a"), flaky(1), say("c")),
  "another loop": sequence(flaky(1), flaky(1), say("c")),
  "another input": sequence(say("b"), flaky(1), say("c")),
  "a condition": sequence(say("a", { when: "false" }), flaky(1), say("c")),
  "a node around": sequence(sequence(say("a")), flaky(1), say("c")),
  "another kind": { kind: "repeat", max: 2, until: "true", body: say("a") },
  "no second node": sequence(say("a")),
};

test.each(Object.entries(changed))("a changed flow acts on nothing: %s", async (_, flow) => {
  const { run, keys } = openFlow(before);
  expect(await run.turn()).toMatchObject({ kind: "waiting", for: "time" });
  const acted = keys.length;
  run.clock.advance(LONG_MS);
  const registry = registerAll([flowLoop(flow), ...sampleLoops]);
  expect(await run.turn({ registry })).toMatchObject({ kind: "blocked" });

  // The same holds where the loop claims the id that the run began with.
  const root = registry.resolve("flow");
  if (root === undefined) throw new Error("the flow is registered");
  const see = (events: readonly LoopEvent[]): LoopEvent[] =>
    events.map((event) =>
      event.type === "call.started" && event.content.loop === "flow"
        ? { ...event, content: { ...event.content, digest: root.digest } }
        : event,
    );
  const result = await run.turn({ registry, pinned: pinReferences(registry, root), see });
  expect(result).toMatchObject({ kind: "closed", outcome: "failed", reason: "drifted" });
  expect(keys).toHaveLength(acted);
});

test("the flow that the run began with goes on", async () => {
  const { run, said } = openFlow(before);
  await driveOn(run);
  expect(said).toEqual(["a", "c"]);
});

test("the output is what the mapping makes of what the nodes gave", async () => {
  const { output } = await callFlow(
    flowLoop(
      {
        ...sequence(
          say("a", { name: "a" }),
          say("b", { name: "b", when: "false" }),
          sayMapped({ text: "$.input.word" }),
        ),
        name: "all",
      },
      {
        outputMapping: {
          ...{ a: "$.a.output.text", b: "$.b.output.text", last: "$.all.output.text" },
          isThere: { cel: "b != null" },
        },
      },
    ),
    { input: { word: "hello" } },
  );
  expect(output).toEqual({ a: "a", last: "hello", isThere: false });
});

test("a mapping of the output that cannot be followed fails the flow", async () => {
  const { error } = await callFlow(
    flowLoop(sequence(say("a", { name: "a" })), { outputMapping: { a: "$.a.output.no.way" } }),
  );
  expect(error).toEqual({
    code: "MAPPING_FAILED",
    message: "the output: $.a.output.no.way cannot be followed: nothing at $.a.output.no",
  });
});

test.each<[string, Mapping]>([
  ["a name that no node has", { a: "$.missing.output" }],
  ["an expression with such a name", { a: { cel: "missing.output" } }],
  ["a name that only stands deeper", { a: "$.deep.output" }],
])("a mapping of the output may not read %s", (_, outputMapping) => {
  const flow = sequence(sequence(say("deep", { name: "deep" })), say("a"));
  const checked = checkLoop(flowLoop(flow, { outputMapping }), "strict");
  expect(checked.kind).toBe("refused");
});

test("what a skipped flow gives is nothing", async () => {
  expect(await callFlow(say("a", { when: "false" }))).toMatchObject({ output: null });
});

test("a sequence gives what its last node gave, or what its mapping makes", async () => {
  const nodes = [say("a", { name: "a" }), say("b", { when: "false" })];
  expect((await callFlow(sequence(...nodes))).output).toEqual({ text: "a" });
  expect((await callFlow(sequence(say("a", { when: "false" })))).output).toBe(null);
  const mapped: FlowNode = {
    ...{ kind: "sequence", nodes },
    outputMapping: { only: "$.a.output.text" },
  };
  expect((await callFlow(mapped)).output).toEqual({ only: "a" });
});

test("the result of a call names the call and its loop", async () => {
  const { output, call } = await callFlow(
    sequence(say("a", { name: "a" }), sayMapped({ a: "$.a" })),
  );
  const [, child] = call.result.trace.filter(({ type }) => type === "call.started");
  expect(output).toEqual({
    a: {
      callId: child?.callId,
      loopId: "say",
      loopVersion: "1.0.0",
      status: "ok",
      output: { text: "a" },
    },
  });
});

test("the trace of LSEM has the children of a flow, each with its path", async () => {
  const { call } = await callFlow(
    sequence(
      say("a", { when: "false" }),
      flaky(1, { retry: { strategy: "immediate" } }),
      flaky(9, { onError: "skip" }),
    ),
  );
  const trace = call.result.trace.filter(({ callId }) => callId === call.result.callId);
  expect(trace.map(({ type }) => type)).toEqual([
    "call.started",
    "call.input.validated",
    ...["child.started", "child.completed"],
    ...["child.started", "child.completed"],
    ...["child.started", "child.completed"],
    "call.output.validated",
    "call.completed",
  ]);
  expect(
    trace.filter(({ type }) => type === "child.started").map(({ payload }) => payload),
  ).toMatchObject([
    { loopId: "flaky", stepIndex: 1, path: "/flow/nodes/1" },
    { loopId: "flaky", stepIndex: 1, path: "/flow/nodes/1/tries/2" },
    { loopId: "flaky", stepIndex: 2, path: "/flow/nodes/2" },
  ]);
});

test("a flow in a flow has paths of its own below its call", async () => {
  const inner = flowLoop(sequence(say("a"), say("b")), { id: "inner" });
  const { way, output } = await callFlow(
    sequence({ kind: "call", loopId: "inner", inputMapping: {} }, say("c")),
    { loops: [inner] },
  );
  expect(way).toEqual(["/flow/nodes/0", "/flow/nodes/0", "/flow/nodes/1", "/flow/nodes/1"]);
  expect(output).toEqual({ text: "c" });
});

test("a cancel between two nodes ends the flow", async () => {
  const { run, said } = openFlow(sequence(say("a"), flaky(9, { onError: "skip" }), say("c")), {
    afterAppend: crashAt(2),
  });
  await expect(run.turn()).rejects.toThrow("crash");
  expect(await run.turn({ isCancelled: true })).toMatchObject({ outcome: "cancelled" });
  expect(said).toEqual(["a"]);
});

/** Nodes that leave nothing in the log: 2 and then 20 in each round. */
function idle(rounds: number, more: number): FlowNode {
  const nothing: FlowNode = { kind: "branch", cases: [{ when: "false", do: say("a") }] };
  const often = { kind: "repeat", until: "false", onMax: "continue" } as const;
  const inner: FlowNode = { ...often, max: 19, body: nothing };
  return sequence(
    { ...often, max: rounds, body: inner },
    ...Array.from({ length: more }, () => nothing),
  );
}

test("a flow runs as many nodes as it may, and none after them", async () => {
  const rounds = 999;
  expect(await callFlow(idle(rounds, 18))).toMatchObject({ output: null });
  expect((await callFlow(idle(rounds, 19))).error).toEqual({
    code: "BUDGET_EXCEEDED",
    message: `the flow runs more than ${NODE_RUNS_MAX} nodes`,
  });
});

const remembering = promptLoop("chat", {
  prompt: { template: "Go on", variables: [], thread: true },
});
const chat: FlowNode = { kind: "call", loopId: "chat", inputMapping: {} };

test.each<[string, FlowNode, readonly string[]]>([
  ["a node", sequence(say("a"), chat), ["/flow/nodes/1"]],
  [
    "a round",
    { kind: "repeat", max: 2, until: "round == 1", body: chat },
    ["/flow/rounds/0", "/flow/rounds/1"],
  ],
  [
    "all rounds that share theirs",
    { kind: "repeat", max: 2, until: "round == 1", body: chat, scope: "shared" },
    ["/flow/rounds"],
  ],
  ["a visit", visiting({}), ["/flow/visits/0/body", "/flow/visits/2/body"]],
  ["a state that shares its visits", visiting({ scope: "shared" }), ["/flow/states/a~1b/body"]],
  ["what runs instead", flaky(9, { otherwise: chat }), ["/flow/otherwise"]],
  [
    "all tries",
    { ...sequence(chat, flaky(1)), retry: { strategy: "immediate" } },
    ["/flow/nodes/0"],
  ],
])("%s has a thread", async (_, flow, threads) => {
  const { run } = openFlow(flow, { loops: [flowLoop(flow), remembering, ...sampleLoops] });
  expect(await driveOn(run)).toMatchObject({ outcome: "completed" });
  const [closed] = await run.contents("turn.closed");
  expect(closed?.threads?.map(({ thread }) => thread)).toEqual(threads);
});

/** A state that is current twice. */
function visiting(fields: Pick<Extract<FlowNode, { kind: "machine" }>, "scope">): FlowNode {
  return {
    kind: "machine",
    initial: "a/b",
    states: {
      "a/b": {
        body: chat,
        transitions: [{ when: "has(states.other)", next: "end" }, { next: "other" }],
      },
      other: { body: say("other"), transitions: [{ next: "a/b" }] },
      end: { terminal: true },
    },
    ...fields,
  };
}
