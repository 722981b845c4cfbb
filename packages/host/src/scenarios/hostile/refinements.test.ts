// Checks of a schema beyond its JSON Schema, through a real host.
import {
  createMemorySigner,
  manualClock,
  memoryStores,
  type ScriptedReply,
  type Stores,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import {
  defineComposite,
  definePrompt,
  defineTool,
  jsonSchema,
  type Loop,
  loopsTool,
} from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { z } from "zod";
import { createLocalHost } from "../../local/local-host.ts";

const signer = await createMemorySigner();
const grant = { grantor: "ada", tools: ["local.fetch"], budget: {} };
const anything = jsonSchema<unknown>(true);
const isOurs = (url: string): boolean => url.startsWith("https://docs.example/");
const small = z.number().refine((count) => count <= 100, { error: "at most a hundred" });

interface World {
  readonly loops: readonly Loop<never, unknown>[];
  readonly replies?: readonly ScriptedReply[];
  readonly stores?: Stores;
}

function openHost({ loops, replies = [], stores = memoryStores(manualClock()) }: World) {
  const model = scriptedModel(replies);
  const models = { scripted: model };
  const clock = manualClock();
  const host = createLocalHost({ loops, stores, signer, clock, models, ids: seededIds("refined") });
  const run = async (loop: Loop<never, unknown>, input: unknown): Promise<string> => {
    const started = await host.start(loop, input as never, { grant, bounds: { turnsMax: 1 } });
    await host.drive(started);
    return started;
  };
  const listEvents = async (started: string): Promise<LoopEvent[]> => {
    const events: LoopEvent[] = [];
    for await (const event of host.events(started)) events.push(event);
    return events;
  };
  return { host, model, stores, run, listEvents };
}

function fetching() {
  const given: unknown[] = [];
  const fetchPage = defineTool({
    ...{ id: "fetch", version: "1.0.0", effect: "once" },
    input: z.object({ url: z.string().refine(isOurs, "only our pages") }),
    output: anything,
    run: (input) => given.push(input),
  });
  return { fetchPage, given };
}

function askFor(url: string): ScriptedReply {
  return { toolCalls: [{ tool: "local__fetch", input: { url } }] };
}

test("a tool is not given what its schema refuses, and the model is told why", async () => {
  const { fetchPage, given } = fetching();
  const agent = definePrompt({
    ...{ id: "agent", version: "1.0.0", input: anything, output: anything },
    ...{ template: "Go", tools: [fetchPage] },
  });
  const good = { url: "https://docs.example/a" };
  const replies = [askFor("file:///etc/passwd"), askFor(good.url), "done"];
  const { run, model, listEvents } = openHost({ loops: [fetchPage, agent], replies });
  const events = await listEvents(await run(agent, {}));
  expect(given).toEqual([good]);
  const told = model.requests[1]?.messages.at(-1);
  expect(told).toMatchObject({
    role: "tool",
    result: { error: "INPUT_VALIDATION_FAILED", reason: "/url: only our pages" },
  });
  // The words of an author may repeat the value, so that no event has them.
  const [errored] = events.filter((event) => event.type === "call.errored");
  expect(errored?.content).toMatchObject({
    details: { problems: ["/url: is refused by a refinement"] },
  });
  expect(JSON.stringify(events)).not.toContain("only our pages");
});

test("a prompt's output is refused, mended where it may be, and never changed", async () => {
  const count = definePrompt({
    ...{ id: "count", version: "1.0.0", input: anything, template: "Count", outputRepairs: 1 },
    output: z.object({ count: small, note: z.string().default("none") }),
  });
  const mended = openHost({ loops: [count], replies: ['{"count":5000}', '{"count":7}'] });
  const started = await mended.run(count, {});
  expect(await mended.host.readOutput(count, started)).toEqual({ count: 7 });
  expect(JSON.stringify(mended.model.requests[1]?.messages)).toContain("/count: at most a hundred");

  const refused = openHost({ loops: [count], replies: ['{"count":5000}', '{"count":5000}'] });
  const events = await refused.listEvents(await refused.run(count, {}));
  expect(events.find((event) => event.type === "call.errored")?.content).toMatchObject({
    code: "OUTPUT_VALIDATION_FAILED",
  });
});

test("a composite's input and output are held to their refinements too", async () => {
  const echo = defineTool({
    ...{ id: "fetch", version: "1.0.0", effect: "read" },
    input: jsonSchema<{ count: number }>(true),
    output: jsonSchema<{ count: number }>(true),
    run: ({ count }) => ({ count: count * 2 }),
  });
  const twice = defineComposite({
    ...{ id: "twice", version: "1.0.0" },
    input: z.object({ count: small }),
    output: z.object({ count: small }),
    steps: (steps) => steps.call("doubled", echo, ({ input }) => ({ count: input.count })),
  });
  const codes = await Promise.all(
    [40, 60, 120].map(async (count) => {
      const { run, listEvents } = openHost({ loops: [echo, twice] });
      const events = await listEvents(await run(twice, { count }));
      return events.flatMap(({ type, content }) => (type === "call.errored" ? [content.code] : []));
    }),
  );
  expect(codes).toEqual([[], ["OUTPUT_VALIDATION_FAILED"], ["INPUT_VALIDATION_FAILED"]]);
});

test("a tool of the other kind is refused the same way, before anything is claimed", async () => {
  const given: unknown[] = [];
  const loop = loopsTool({
    ...{ name: "fetch", description: "Fetches", readOnly: true },
    inputSchema: z.object({ url: z.string().refine(isOurs) }),
    execute: (input) => given.push(input),
  }).toLoop();
  const { run, listEvents } = openHost({ loops: [loop] });
  const events = await listEvents(await run(loop, { url: "file:///etc/passwd" }));
  expect(given).toEqual([]);
  expect(events.some(({ type }) => type === "action.claimed")).toBe(false);
});

test("a refinement that changes what it looks at changes nothing", async () => {
  const given: unknown[] = [];
  const meddling = z.custom<{ a: number }>((value) => {
    (value as { a: number }).a = 2;
    return true;
  });
  const input = Object.assign(z.any().and(meddling), {});
  const tool = defineTool({
    ...{ id: "fetch", version: "1.0.0", effect: "read" },
    input: { "~standard": { ...input["~standard"], jsonSchema: { input: () => ({}) } } },
    output: anything,
    run: (value) => given.push(value),
  });
  const { run } = openHost({ loops: [tool] });
  await run(tool, { a: 1 });
  expect(given).toEqual([{ a: 1 }]);
});

test("a run goes on, and is replayed, only where its refinements are", async () => {
  const { fetchPage, given } = fetching();
  const { host, run, stores, listEvents } = openHost({ loops: [fetchPage] });
  const started = await run(fetchPage, { url: "https://docs.example/a" });
  for await (const { replayed } of host.replay(started)) expect(replayed.kind).toBe("identical");
  const [first] = await listEvents(started);
  expect(first?.content).toMatchObject({
    spec: { pinned: { "fetch 1.0.0": { id: "fetch", refined: ["input"] } } },
  });

  const waiting = await host.start(
    fetchPage,
    { url: "https://docs.example/b" },
    {
      ...{ grant, key: "waiting" },
    },
  );
  const { refinements: _, ...bare } = fetchPage;
  const poorer = openHost({ loops: [bare], stores });
  await poorer.host.advance(waiting);
  expect((await listEvents(waiting)).some(({ type }) => type === "call.started")).toBe(false);
  expect(given).toHaveLength(1);
});

test.each(["input", "output"] as const)(
  "a worker that has lost the refinements of the %s is blocked",
  async (side) => {
    const given: unknown[] = [];
    const both = defineTool({
      ...{ id: "fetch", version: "1.0.0", effect: "once", input: small, output: small },
      run: (count) => {
        given.push(count);
        return count;
      },
    });
    const { host, stores } = openHost({ loops: [both] });
    const started = await host.start(both, 1, { grant });
    const { [side]: _, ...kept } = both.refinements ?? {};
    const poorer = openHost({ loops: [{ ...both, refinements: kept }], stores });
    expect((await poorer.host.drive(started)).dues).toMatchObject({ why: "loop-changed" });
    expect(given).toEqual([]);
    expect(await host.drive(started)).toMatchObject({ projection: { stopped: "goal-reached" } });
  },
);

test("an answer waits for a worker that has the refinements by which it is judged", async () => {
  const ask = defineTool({
    ...{ id: "ask", version: "1.0.0", effect: "read", input: anything, output: small },
    implementation: "turnseal.question",
    config: { to: "person" },
    run: () => 1,
  });
  const asking = { grant: { ...grant, tools: ["turnseal.question"] } };
  const { host, stores, listEvents } = openHost({ loops: [ask] });
  const started = await host.start(ask, {}, asking);
  await host.drive(started);
  const [question] = await host.requests(started);
  const { refinements: _, ...bare } = ask;
  const poorer = openHost({ loops: [bare], stores }).host;
  const by = { id: "bob", roles: [] };
  await poorer.answer(started, question?.id ?? "", { answer: 101, by });
  expect((await poorer.drive(started)).dues).toMatchObject({ why: "loop-changed" });
  const isAnswered = async () =>
    (await listEvents(started)).some(({ type }) => type === "question.answered");
  expect(await isAnswered()).toBe(false);
  // A worker that can judge the answer refuses it, and the question stays open.
  expect((await host.drive(started)).dues.kind).toBe("wait");
  expect(await isAnswered()).toBe(false);
  await poorer.answer(started, question?.id ?? "", { answer: 100, by });
  await poorer.drive(started);
  expect(await host.drive(started)).toMatchObject({ projection: { stopped: "goal-reached" } });
});
