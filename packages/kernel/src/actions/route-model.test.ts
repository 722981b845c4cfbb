import { type Model, ModelError, scriptedModel } from "@turnseal/ports";
import type { LoopDef, LoopPolicy, ModelErrorCode } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { openWorld, promptLoop, toolLoop } from "../call/sample-world.test.data.ts";
import { FALLBACK_CODES } from "../definition/check-loop-policy.ts";
import { ROUTES_MAX } from "../limits.ts";
import { crashAt, openRun, type SampleRunOptions, settle } from "../turn/sample-run.test.data.ts";
import { FALLBACK_DEFAULT } from "./route-model.ts";

/** A model that fails with these classes, one for each request, and then answers. */
function failing(...codes: readonly ModelErrorCode[]) {
  const model = scriptedModel();
  let asked = 0;
  const failingModel: Model = {
    defaultModel: "unsure",
    generate: async (request) => {
      const code = codes[asked++];
      if (code !== undefined) throw new ModelError({ code, retry: "retry", message: "no" });
      return model.generate(request);
    },
  };
  return { model: failingModel, count: () => asked };
}

function routed(policy: LoopPolicy, fields: Partial<LoopDef> = {}): LoopDef {
  const { backend: _, ...loop } = promptLoop("ask", { policy, ...fields });
  return loop;
}

const two = [{ id: "one" }, { id: "two", model: "large" }] as const;

function openRouted(policy: LoopPolicy, options: Partial<SampleRunOptions>) {
  return openRun({ loops: [routed(policy)], ...options });
}

test("the first route is asked, and the claim says why", async () => {
  const [one, two_] = [scriptedModel(["yes"]), scriptedModel()];
  const run = openRouted({ routes: two }, { models: { one, two: two_ } });
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: { text: "yes" } });
  expect(await run.contents("action.claimed")).toMatchObject([
    { backend: "one", model: "scripted", route: { index: 0, reason: "first" } },
  ]);
  expect(two_.requests).toEqual([]);
});

test("a prompt without routes records none", async () => {
  const run = openRun({ loops: [promptLoop("ask")] });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect((await run.contents("action.claimed"))[0]).not.toHaveProperty("route");
});

test.each(FALLBACK_DEFAULT)("after %s the next route is asked, at once and once", async (code) => {
  const one = failing(code, code, code);
  const other = scriptedModel(["from the other"]);
  const run = openRouted({ routes: two }, { models: { one: one.model, two: other } });
  const result = await run.turn();
  expect(result).toMatchObject({ outcome: "completed", output: { text: "from the other" } });
  expect([one.count(), other.requests.length]).toEqual([1, 1]);
  expect(other.requests[0]?.model).toBe("large");
  const claims = await run.contents("action.claimed");
  expect(claims.map(({ backend, route }) => [backend, route])).toEqual([
    ["one", { index: 0, reason: "first" }],
    ["two", { index: 1, reason: `fallback:${code}` }],
  ]);
  expect(new Set(claims.map(({ key }) => key)).size).toBe(2);
  expect(await run.contents("action.settled")).toMatchObject([
    { status: "failed", failure: code },
    { status: "ok" },
  ]);
});

test.each(["MODEL_REFUSED", "MODEL_UNAUTHORIZED", "MODEL_NOT_FOUND"] as const)(
  "%s is not moved on after where the policy does not name it",
  async (code) => {
    const one: Model = {
      defaultModel: "unsure",
      generate: async () => {
        throw new ModelError({ code, retry: "never", message: "no" });
      },
    };
    const other = scriptedModel();
    const run = openRouted({ routes: two }, { models: { one, two: other } });
    expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BACKEND_FAILED" });
    expect(other.requests).toEqual([]);
    expect(await run.contents("action.settled")).toMatchObject([{ failure: code }]);
  },
);

test("what the policy names takes the place of what it would be otherwise", async () => {
  const [named, other] = [failing("MODEL_NOT_FOUND"), scriptedModel(["yes"])];
  const policy = { routes: two, fallback: ["MODEL_NOT_FOUND"] };
  const run = openRouted(policy, { models: { one: named.model, two: other } });
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: { text: "yes" } });

  const limited = failing("MODEL_RATE_LIMITED", "MODEL_RATE_LIMITED", "MODEL_RATE_LIMITED");
  const unasked = scriptedModel();
  const stays = openRouted(policy, { models: { one: limited.model, two: unasked } });
  const turning = stays.turn();
  for (let step = 0; step < 20; step++) {
    await settle();
    stays.clock.advance(1_000);
  }
  expect(await turning).toMatchObject({ outcome: "failed", reason: "BACKEND_FAILED" });
  expect([limited.count(), unasked.requests.length]).toEqual([3, 0]);
});

test("an answer that a provider withholds is an answer: nobody else is asked", async () => {
  const one = scriptedModel([{ content: [], finishReason: "content-filter" }]);
  const other = scriptedModel();
  const run = openRouted({ routes: two }, { models: { one, two: other } });
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BACKEND_FAILED" });
  expect(other.requests).toEqual([]);
});

test("the last route is retried like any other, and its failure is the prompt's", async () => {
  const one = failing("MODEL_UNREACHABLE");
  const codes = Array.from({ length: 3 }, () => "MODEL_UNREACHABLE" as const);
  const other = failing(...codes);
  const run = openRouted({ routes: two }, { models: { one: one.model, two: other.model } });
  const turning = run.turn();
  for (let step = 0; step < 20; step++) {
    await settle();
    run.clock.advance(1_000);
  }
  expect(await turning).toMatchObject({ outcome: "failed", reason: "BACKEND_FAILED" });
  expect([one.count(), other.count()]).toEqual([1, 3]);
  const keys = (await run.contents("action.claimed")).map(({ key }) => key);
  expect(new Set(keys).size).toBe(4);
});

test.each([
  [{ tier: "gold" }, "two", { index: 0, reason: "condition" }],
  [{ tier: "lead" }, "one", { index: 2, reason: "first" }],
  [{ size: 900 }, "three", { index: 1, reason: "condition" }],
  [{ size: 899 }, "one", { index: 2, reason: "first" }],
  [{}, "one", { index: 2, reason: "first" }],
] as const)("the input %j is asked of %s", async (input, backend, route) => {
  const routes = [
    { id: "two", when: { path: "$.input.tier", equals: "gold" } },
    { id: "three", when: { path: "$.input.size", atLeast: 900 } },
    { id: "one" },
  ];
  const models = { one: scriptedModel(), two: scriptedModel(), three: scriptedModel() };
  const run = openRouted({ routes }, { models, input });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(await run.contents("action.claimed")).toMatchObject([{ backend, route }]);
});

test("an input that no route is for is refused, and nobody is asked", async () => {
  const routes = [{ id: "one", when: { path: "$.input.tier", equals: "gold" } }];
  const one = scriptedModel();
  const run = openRouted({ routes }, { models: { one }, input: { tier: "lead" } });
  expect(await run.turn()).toMatchObject({ outcome: "denied" });
  expect(await run.contents("call.errored")).toMatchObject([
    { code: "POLICY_DENIED", details: { denial: "route-missing" } },
  ]);
  expect(one.requests).toEqual([]);
});

test("a route whose condition does not hold is not fallen back to", async () => {
  const routes = [
    { id: "one" },
    { id: "two", when: { path: "$.input.tier", equals: "gold" } },
    { id: "three" },
  ];
  const one = failing("MODEL_UNREACHABLE");
  const [skipped, three] = [scriptedModel(), scriptedModel()];
  const models = { one: one.model, two: skipped, three };
  const run = openRouted({ routes }, { models });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect((await run.contents("action.claimed"))[1]).toMatchObject({ route: { index: 2 } });
  expect(skipped.requests).toEqual([]);
});

test("a route to a backend that is not bound fails before anybody is asked", async () => {
  const one = scriptedModel();
  const run = openRouted({ routes: two }, { models: { one } });
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BACKEND_FAILED" });
  expect(one.requests).toEqual([]);
});

test("with a budget in money every route needs a price", async () => {
  const [one, other] = [scriptedModel(), scriptedModel()];
  const price = { inputMicrosPerMillion: 1, outputMicrosPerMillion: 1 };
  const prices = { asOf: "2026-01-01", models: { "one/scripted": price } };
  const budget = { moneyMicros: 1_000 };
  const run = openRouted({ routes: two }, { models: { one, two: other }, prices, budget });
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BUDGET_EXCEEDED" });
  expect(one.requests).toEqual([]);
});

test("later rounds stay with the route that answered", async () => {
  const one = failing("MODEL_UNREACHABLE");
  const other = scriptedModel([{ toolCalls: [{ tool: "local__look", input: {} }] }, "done"]);
  const prompt = { template: "Go", variables: [], tools: [{ loopId: "look" }] };
  const run = openRun({
    loops: [routed({ routes: two }, { prompt }), toolLoop("look")],
    models: { one: one.model, two: other },
    tools: { "local.look": { effect: "read", run: () => ({}) } },
  });
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: { text: "done" } });
  expect([one.count(), other.requests.length]).toEqual([1, 2]);
});

test.each([
  [1, "two", 1],
  [2, "two", 1],
])("a crash after append %i leads its successor to route %s", async (place, backend, asked) => {
  const one = failing("MODEL_UNREACHABLE");
  const models = { one: one.model, two: scriptedModel(["yes", "yes"]) };
  const run = openRouted({ routes: two }, { models, afterAppend: crashAt(place) });
  await expect(run.turn()).rejects.toThrow("crash");
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: { text: "yes" } });
  expect((await run.contents("action.claimed")).at(-1)).toMatchObject({ backend });
  expect(one.count()).toBe(asked);
});

test("a failure that is not in the log did not happen: its route is asked again", async () => {
  const one = failing("MODEL_UNREACHABLE");
  const other = scriptedModel();
  const models = { one: one.model, two: other };
  const run = openRouted({ routes: two }, { models, beforeAppend: crashAt(2) });
  await expect(run.turn()).rejects.toThrow("crash");
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect((await run.contents("action.claimed")).map(({ backend }) => backend)).toEqual([
    "one",
    "one",
  ]);
  expect([one.count(), other.requests.length]).toEqual([2, 0]);
});

test("outside a run the next route is asked too", async () => {
  const one = failing("MODEL_RATE_LIMITED");
  const world = openWorld({
    loops: [routed({ routes: two })],
    models: { one: one.model, two: scriptedModel(["yes"]) },
  });
  const { result, events } = await world.call("ask");
  expect(result).toMatchObject({ status: "ok", output: { text: "yes" } });
  const settled = events.filter((event) => event.type === "action.settled");
  expect(settled.map(({ content }) => content)).toMatchObject([
    { status: "failed", failure: "MODEL_RATE_LIMITED" },
    { status: "ok" },
  ]);
});

test("ROUTES_MAX routes are tried in turn, each once", async () => {
  const names = Array.from({ length: ROUTES_MAX }, (_, index) => `backend-${index}`);
  const models = names.map((name) => [name, failing("MODEL_UNREACHABLE")] as const);
  const run = openRouted(
    { routes: names.map((id) => ({ id })) },
    { models: Object.fromEntries(models.map(([name, { model }]) => [name, model])) },
  );
  const turning = run.turn();
  for (let step = 0; step < 40; step++) {
    await settle();
    run.clock.advance(1_000);
  }
  expect(await turning).toMatchObject({ outcome: "completed" });
  expect(models.map(([, { count }]) => count())).toEqual([
    ...Array.from({ length: ROUTES_MAX - 1 }, () => 1),
    2,
  ]);
});

test("neither a refusal nor an abort can be named as something to move on after", () => {
  expect(FALLBACK_CODES).not.toContain("MODEL_REFUSED");
  expect(FALLBACK_CODES).not.toContain("MODEL_ABORTED");
});
