/** Calls that are answered with what equal calls gave: what is shared, with whom, and how long. */
import {
  CACHE_ANSWER_MS_MAX,
  CACHE_EPHEMERAL_MS_DEFAULT,
  CACHE_PERSISTENT_MS_DEFAULT,
  CACHED_BYTES_MAX,
} from "@turnseal/kernel";
import {
  type CallCache,
  createMemorySigner,
  type ManualClock,
  type Model,
  manualClock,
  memoryStores,
  type Stores,
  scriptedModel,
  seededIds,
  type ToolBinding,
} from "@turnseal/ports";
import type {
  CacheSpec,
  EventOf,
  Grant,
  JsonValue,
  LoopDef,
  LoopEvent,
  Policy,
} from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { verifyRun } from "@turnseal/protocol/receipts";
import { describe, expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { collectRun } from "../../read/run/collect-run.ts";
import { crashAt } from "../sample-world.test.data.ts";

const loopOf = (id: string, fields: Partial<LoopDef>): LoopDef => ({
  ...{ id, name: id, version: "1.0.0", inputSchema: true, outputSchema: true },
  kind: "prompt",
  ...fields,
});

const promptOf = (cache: CacheSpec | undefined, fields: Partial<LoopDef> = {}): LoopDef =>
  loopOf("classify", {
    prompt: { template: "{{word}}", variables: ["word"] },
    backend: { id: "test" },
    ...(cache === undefined ? {} : { policy: { cache } }),
    ...fields,
  });

const look = (cache: CacheSpec): LoopDef =>
  loopOf("look", { kind: "tool", tool: { implementation: "local.look" }, policy: { cache } });

interface Desk {
  readonly loops: readonly LoopDef[];
  readonly stores?: Stores;
  readonly clock?: ManualClock;
  readonly effect?: ToolBinding["effect"];
  readonly build?: string;
  readonly model?: string;
  readonly policy?: Policy;
  readonly reply?: () => string;
  readonly look?: () => JsonValue;
  readonly asks?: Model;
}

const signer = await createMemorySigner();

/** One worker, the requests to its world, and its runs. */
function openDesk(given: Desk) {
  const { clock = manualClock(), loops } = given;
  const stores = given.stores ?? memoryStores(clock);
  const asked: string[] = [];
  const model: Model = {
    defaultModel: given.model ?? "small",
    generate: async (request) => {
      asked.push(JSON.stringify(request.messages.at(-1)));
      return scriptedModel([given.reply?.() ?? "told"]).generate(request);
    },
  };
  const run = async (): Promise<JsonValue> => {
    asked.push("look");
    return given.look?.() ?? { seen: asked.length };
  };
  const { effect = "read", build = "1" } = given;
  const host = createLocalHost({
    ...{ stores, clock, signer, ids: seededIds("caches"), models: { test: given.asks ?? model } },
    loops: loops.map((definition) => ({ definition })),
    tools: { "local.look": { run, effect, build } },
    ...(given.policy === undefined ? {} : { policy: given.policy }),
  });
  const grantOf = (grant: Partial<Grant>): Grant => ({
    ...{ grantor: "ada", tools: ["local.look"], budget: {} },
    ...grant,
  });
  const carry = async (key: string, input: JsonValue, grant: Partial<Grant> = {}) => {
    const [definition] = loops;
    if (definition === undefined) throw new Error("a desk has a loop");
    const run = await host.start({ definition }, input as never, { key, grant: grantOf(grant) });
    await host.advance(run);
    return run;
  };
  const hits = async (run: string) => {
    const { events } = await collectRun(stores, run);
    return events.filter((event): event is EventOf<"cache.hit"> => event.type === "cache.hit");
  };
  const outputOf = (run: string) =>
    host.readOutput({ definition: loops[0] as LoopDef } as Loop<never, JsonValue>, run);
  return { host, stores, clock, asked, carry, hits, outputOf };
}

const ephemeral: CacheSpec = { strategy: "ephemeral" };
const persistent: CacheSpec = { strategy: "persistent" };

test("an equal call of another run is answered from the cache, and costs nothing", async () => {
  const desk = openDesk({ loops: [promptOf(ephemeral)] });
  const first = await desk.carry("a", { word: "hello" });
  const second = await desk.carry("b", { word: "hello" });
  expect(desk.asked).toHaveLength(1);
  const [hit] = await desk.hits(second);
  expect(hit?.content).toMatchObject({ strategy: "ephemeral", from: { run: first, turn: 1 } });
  expect(hit?.content).not.toHaveProperty("tool");
  expect(await desk.outputOf(second)).toEqual(await desk.outputOf(first));
  const state = await desk.host.show(second);
  expect(state?.spending.settled).toEqual({ turns: 1 });
  expect(await desk.hits(first)).toEqual([]);
});

test("a later turn of the same run finds what an earlier one gave", async () => {
  const loop = promptOf(persistent);
  const desk = openDesk({ loops: [loop] });
  const bounds = { awaits: ["again"], turnsMax: 3 };
  const grant = { grantor: "ada", tools: [], budget: {} };
  const run = await desk.host.start({ definition: loop }, { word: "a" } as never, {
    grant,
    bounds,
  });
  await desk.host.advance(run);
  await desk.host.signal(run, { name: "again", payload: null, key: "1", by: "ada" });
  await desk.host.advance(run);
  expect(desk.asked).toHaveLength(1);
  expect(await desk.hits(run)).toMatchObject([{ turn: 2, content: { from: { run, turn: 1 } } }]);
});

describe.each([ephemeral, persistent])("with $strategy", (cache) => {
  test.each<readonly [string, Partial<Grant>, JsonValue]>([
    ["other input", {}, { word: "hallo" }],
    ["more tools", { tools: ["local.look", "local.other"] }, { word: "hello" }],
    ["fewer tools", { tools: [] }, { word: "hello" }],
    ["a scope more", { scopes: ["repo:read"] }, { word: "hello" }],
  ])("%s is another call", async (_, grant, input) => {
    const desk = openDesk({ loops: [promptOf(cache)] });
    await desk.carry("a", { word: "hello" });
    expect(await desk.hits(await desk.carry("b", input, grant))).toEqual([]);
    expect(desk.asked).toHaveLength(2);
  });

  test("another budget, another order of tools and another grantor are the same call", async () => {
    const desk = openDesk({ loops: [promptOf(cache)] });
    await desk.carry("a", { word: "hello" }, { tools: ["local.a", "local.b"] });
    const other = { grantor: "bo", tools: ["local.b", "local.a"], budget: { rounds: 5 } };
    expect(await desk.hits(await desk.carry("b", { word: "hello" }, other))).toHaveLength(1);
  });

  test("another worker with another model, or other code, makes the call", async () => {
    const loops = [promptOf(cache, { policy: { cache } })];
    const first = openDesk({ loops });
    await first.carry("a", { word: "hello" });
    const { stores, clock } = first;
    const other = openDesk({ loops, stores, clock, model: "large" });
    expect(await other.hits(await other.carry("b", { word: "hello" }))).toEqual([]);
    const tools = openDesk({ loops: [look(cache)] });
    await tools.carry("c", {});
    const changed = openDesk({ loops: [look(cache)], ...pickStore(tools), build: "2" });
    expect(await changed.hits(await changed.carry("d", {}))).toEqual([]);
  });

  test("an answer is used until its time has come", async () => {
    const usualMs = cache === ephemeral ? CACHE_EPHEMERAL_MS_DEFAULT : CACHE_PERSISTENT_MS_DEFAULT;
    for (const [spec, ttlMs] of [
      [cache, usualMs],
      [{ ...cache, ttlMs: 1_000 }, 1_000],
    ] as const) {
      const desk = openDesk({ loops: [promptOf(spec)] });
      await desk.carry("a", { word: "hello" });
      desk.clock.advance(ttlMs - 1);
      expect(await desk.hits(await desk.carry("b", { word: "hello" }))).toHaveLength(1);
      desk.clock.advance(1);
      expect(await desk.hits(await desk.carry("c", { word: "hello" }))).toEqual([]);
    }
  });

  test("what failed, and what does not fit the output, is not kept", async () => {
    const outputSchema = { type: "object", required: ["sum"] };
    let reply = "no";
    const loops = [promptOf(cache, { outputSchema })];
    const desk = openDesk({ loops, reply: () => reply });
    await desk.carry("a", { word: "hello" });
    reply = '{"sum":1}';
    const second = await desk.carry("b", { word: "hello" });
    expect(await desk.outputOf(second)).toEqual({ sum: 1 });
    const third = await desk.carry("c", { word: "hello" });
    expect(await desk.hits(third)).toMatchObject([{ content: { from: { run: second } } }]);
  });

  test("a tool that reads is read once, and named", async () => {
    const desk = openDesk({ loops: [look(cache)] });
    const first = await desk.carry("a", { at: 1 });
    const second = await desk.carry("b", { at: 1 });
    expect(desk.asked).toEqual(["look"]);
    expect(await desk.hits(second)).toMatchObject([{ content: { tool: "local.look" } }]);
    expect(await desk.outputOf(second)).toEqual(await desk.outputOf(first));
  });

  test("what an erased run gave is not used any more", async () => {
    const desk = openDesk({ loops: [promptOf(cache)] });
    const first = await desk.carry("a", { word: "hello" });
    await desk.stores.blobs.erase(first);
    expect(await desk.hits(await desk.carry("b", { word: "hello" }))).toEqual([]);
  });
});

function pickStore({ stores, clock }: ReturnType<typeof openDesk>) {
  return { stores, clock };
}

test("what a worker remembers is its own, and what the store keeps is everybody's", async () => {
  for (const [cache, count] of [
    [ephemeral, 0],
    [persistent, 1],
  ] as const) {
    const first = openDesk({ loops: [promptOf(cache)] });
    await first.carry("a", { word: "hello" });
    const second = openDesk({ loops: [promptOf(cache)], ...pickStore(first) });
    expect(await second.hits(await second.carry("b", { word: "hello" }))).toHaveLength(count);
  }
});

test("a cache that is away or never answers is a miss, and fails no call", async () => {
  const away = async (): Promise<never> => {
    throw new Error("away");
  };
  const never = (): Promise<never> => new Promise(() => {});
  for (const fault of [away, never]) {
    const clock = manualClock();
    const calls: CallCache = { keepKey: fault, find: fault, put: fault };
    const stores = { ...memoryStores(clock), calls };
    const desk = openDesk({ loops: [promptOf(persistent)], stores, clock });
    const carrying = desk.carry("a", { word: "hello" });
    const ticking = setInterval(() => clock.advance(100), 1);
    const run = await carrying;
    clearInterval(ticking);
    expect(await desk.outputOf(run)).toEqual({ text: "told" });
  }
});

test("a cache has CACHE_ANSWER_MS_MAX to answer, and is not waited for longer", async () => {
  for (const [delayMs, count] of [
    [CACHE_ANSWER_MS_MAX - 1, 1],
    [CACHE_ANSWER_MS_MAX + 1, 0],
  ] as const) {
    const first = openDesk({ loops: [promptOf(persistent)] });
    await first.carry("a", { word: "hello" });
    const { stores, clock } = first;
    const { calls } = stores;
    if (calls === undefined) throw new Error("the memory keeps calls");
    const find: CallCache["find"] = (...asked) => {
      const found = calls.find(...asked);
      return new Promise((resume) => clock.after(delayMs, () => resume(found)));
    };
    const second = openDesk({
      loops: [promptOf(persistent)],
      stores: { ...stores, calls: { ...calls, find } },
      clock,
    });
    const carrying = second.carry("b", { word: "hello" });
    const ticking = setInterval(() => clock.advance(1), 0);
    const run = await carrying;
    clearInterval(ticking);
    expect(await second.hits(run)).toHaveLength(count);
  }
});

test("an output of CACHED_BYTES_MAX bytes is kept, and one of a byte more is not", async () => {
  for (const [bytes, count] of [
    [CACHED_BYTES_MAX, 1],
    [CACHED_BYTES_MAX + 1, 0],
  ] as const) {
    const desk = openDesk({ loops: [look(persistent)], look: () => "x".repeat(bytes - 2) });
    await desk.carry("a", {});
    expect(await desk.hits(await desk.carry("b", {}))).toHaveLength(count);
  }
});

test("a tool that the rules deny now is denied, whatever a cache has", async () => {
  const first = openDesk({ loops: [look(persistent)] });
  await first.carry("a", {});
  const rule = { id: "no", effect: "deny", tools: ["local.look"] };
  const policy = { name: "today", version: "1.0.0", rules: [rule] } as unknown as Policy;
  const second = openDesk({ loops: [look(persistent)], ...pickStore(first), policy });
  const run = await second.carry("b", {});
  expect(await second.hits(run)).toEqual([]);
  expect((await second.host.show(run))?.stopped).not.toBe("goal-reached");
});

const agentOf = (cache: CacheSpec | undefined, tools: readonly string[]): LoopDef =>
  promptOf(cache, {
    id: "agent",
    prompt: {
      ...{ template: "{{word}}", variables: ["word"] },
      tools: tools.map((loopId) => ({ loopId })),
    },
  });

/** Asks for its tool once, and answers with its result. */
const asking: Model = {
  defaultModel: "small",
  generate: async (request) => {
    const last = request.messages.at(-1);
    const [tool = { name: "" }] = request.tools ?? [];
    const ask = { toolCalls: [{ tool: tool.name, input: { at: 1 } }] };
    const told = last?.role === "tool" ? JSON.stringify(last.result) : undefined;
    return scriptedModel([told ?? ask]).generate(request);
  },
};

describe("an answer after a failure below it is given to no other run:", () => {
  const loops = [agentOf(persistent, ["look"]), { ...look(persistent), policy: {} }];

  test("a tool that fails for a moment", async () => {
    let isDown = true;
    const desk = openDesk({
      ...{ loops, asks: asking },
      look: () => {
        if (isDown) throw new Error("down");
        return { seen: 1 };
      },
    });
    await desk.carry("a", { word: "x" });
    isDown = false;
    const second = await desk.carry("b", { word: "x" });
    expect(await desk.hits(second)).toEqual([]);
    expect(await desk.outputOf(second)).toEqual({ seen: 1 });
    expect(await desk.hits(await desk.carry("c", { word: "x" }))).toHaveLength(1);
  });

  test("a grant that ends meanwhile", async () => {
    const clock = manualClock();
    const desk = openDesk({
      ...{ loops, clock },
      asks: {
        ...asking,
        generate: (request) => {
          clock.advance(1_000);
          return asking.generate(request);
        },
      },
    });
    const expiresAt = new Date(clock.now() + 1_000).toISOString();
    const first = await desk.carry("a", { word: "x" }, { expiresAt });
    expect(await desk.outputOf(first)).toMatchObject({ error: "POLICY_DENIED" });
    const second = await desk.carry("b", { word: "x" });
    expect(await desk.hits(second)).toEqual([]);
    expect(await desk.outputOf(second)).not.toHaveProperty("error");
  });

  test("but not what the model asked for wrongly and then put right", async () => {
    const inputSchema = { type: "object", required: ["at"] };
    const strict = loops.map((loop) => (loop.id === "look" ? { ...loop, inputSchema } : loop));
    const replies = [
      { toolCalls: [{ tool: "local__look", input: {} }] },
      { toolCalls: [{ tool: "local__look", input: { at: 1 } }] },
      "told",
    ];
    const desk = openDesk({ loops: strict, asks: scriptedModel(replies) });
    await desk.carry("a", { word: "x" });
    expect(desk.asked).toEqual(["look"]);
    expect(await desk.hits(await desk.carry("b", { word: "x" }))).toHaveLength(1);
  });
});

test("content that was exchanged in the store is given to nobody", async () => {
  const desk = openDesk({ loops: [look(persistent)], look: () => ({ owed: 1 }) });
  await desk.carry("a", {});
  const { blobs } = desk.stores;
  const exchanged = async (run: string, digest: string) => {
    const bytes = await blobs.read(run, digest);
    const text = new TextDecoder().decode(bytes);
    return bytes && new TextEncoder().encode(text === '{"owed":1}' ? '{"owed":9}' : text);
  };
  const stores = { ...desk.stores, blobs: { ...blobs, read: exchanged } };
  const other = openDesk({ loops: [look(persistent)], stores, clock: desk.clock });
  expect(await other.hits(await other.carry("b", {}))).toEqual([]);
});

describe("refused are", () => {
  const codes = (loops: readonly LoopDef[], effect?: ToolBinding["effect"]) => () =>
    openDesk({ loops, ...(effect === undefined ? {} : { effect }) });
  const refused = (words: RegExp) =>
    expect.objectContaining({ code: "LOOP_REFUSED", message: expect.stringMatching(words) });

  test.each(["idempotent", "reconcile", "once"] as const)("a tool that is %s", (effect) => {
    expect(codes([look(ephemeral)], effect)).toThrow(refused(/declares the effect/));
    const plain = { ...look(ephemeral), policy: {} };
    expect(codes([agentOf(ephemeral, ["look"]), plain], effect)).toThrow(
      refused(/look declares the effect/),
    );
    expect(codes([agentOf(undefined, ["look"]), plain], effect)).not.toThrow();
  });

  test("a composite, a prompt with a thread, a question and a handoff", () => {
    const composite = loopOf("both", {
      kind: "composite",
      composite: { steps: [{ loopId: "look", inputMapping: {} }] },
      policy: { cache: ephemeral },
    });
    const threaded = promptOf(ephemeral, {
      prompt: { template: "{{word}}", variables: ["word"], thread: true },
    });
    const own = (implementation: string) =>
      loopOf("own", { kind: "tool", tool: { implementation }, policy: { cache: ephemeral } });
    expect(codes([composite])).toThrow(refused(/is a composite/));
    expect(codes([threaded])).toThrow(refused(/has a thread/));
    expect(codes([own("turnseal.question")])).toThrow(refused(/cache/));
    expect(codes([own("turnseal.handoff")])).toThrow(refused(/cache/));
  });

  test("a prompt that reaches a thread, when a run is started", async () => {
    const helper = promptOf(undefined, {
      id: "helper",
      prompt: { template: "{{word}}", variables: ["word"], thread: true },
    });
    const desk = openDesk({ loops: [agentOf(ephemeral, ["helper"]), helper] });
    await expect(desk.carry("a", { word: "hello" })).rejects.toMatchObject({
      code: "LOOP_REFUSED",
    });
  });
});

/**
 * The part of the events that a crash must not change: all but the attempts, and the fields that
 * name them.
 */
const plain = (events: readonly LoopEvent[]): unknown[] =>
  events
    .filter(({ type }) => !/^(turn.resumed|action|run.decided)/.test(type))
    .map(({ type, turn, call, content }) => {
      const { trigger: _, spending: _spending, ...facts } = content as Record<string, unknown>;
      return { type, turn, call, facts };
    });

/** Reads twice: the second time, it is answered with what it read. */
const both = loopOf("both", {
  kind: "composite",
  composite: { steps: [1, 2].map(() => ({ loopId: "look", inputMapping: {} })) },
});

test("after a crash at any append the log of a run with hits is the same", async () => {
  const clock = manualClock();
  const open = (stores: Stores) =>
    openDesk({ loops: [both, look(persistent)], stores, clock, look: () => ({ seen: true }) });
  const undisturbed = open(memoryStores(clock));
  const run = await undisturbed.carry("a", {});
  const expected = plain((await collectRun(undisturbed.stores, run)).events);
  expect(await undisturbed.hits(run)).toHaveLength(1);
  expect(undisturbed.asked).toEqual(["look"]);
  let cuts = 0;
  for (const when of ["before", "after"] as const)
    for (let place = 1; place <= 6; place++) {
      const stores = memoryStores(clock);
      const broken = open(crashAt(place, when)(stores));
      const cut = await broken.carry("a", {}).then(
        () => false,
        () => true,
      );
      if (!cut) continue;
      cuts += 1;
      await open(stores).host.advance(run);
      expect(plain((await collectRun(stores, run)).events)).toEqual(expected);
    }
  expect(cuts).toBeGreaterThan(5);
});

/** The verdict of an independent verifier on the run. */
async function verifyCodes(stores: Stores, run: string): Promise<string[]> {
  const { events, receipts } = await collectRun(stores, run);
  const { keyId, x: encodedKey, issuer } = signer;
  const key = { keyId, x: encodedKey, issuer, validFrom: "1970-01-01T00:00:00.000Z" };
  const { findings } = await verifyRun({ run, events, receipts }, { keys: [key] });
  return findings.map(({ code }) => code);
}

test("a run with hits verifies, and is replayed from its record without a cache", async () => {
  const desk = openDesk({ loops: [look(persistent)] });
  await desk.carry("a", {});
  const run = await desk.carry("b", {});
  expect(await verifyCodes(desk.stores, run)).toEqual([]);
  const calls: CallCache = { keepKey: unasked, find: unasked, put: unasked };
  const other = openDesk({
    loops: [look(persistent)],
    stores: { ...desk.stores, calls },
    clock: desk.clock,
  });
  const kinds: string[] = [];
  for await (const { replayed } of other.host.replay(run)) kinds.push(replayed.kind);
  expect(kinds).toEqual(["identical"]);
});

async function unasked(): Promise<never> {
  throw new Error("a replay asks no cache");
}

test("no text of a call stands in a hit, nor in the name of an entry", async () => {
  const names: string[] = [];
  const clock = manualClock();
  const stores = memoryStores(clock);
  const { calls } = stores;
  if (calls === undefined) throw new Error("the memory keeps calls");
  const watched: CallCache = {
    ...calls,
    put: async (entry, nowMs) => {
      names.push(JSON.stringify(entry));
      await calls.put(entry, nowMs);
    },
  };
  const desk = openDesk({ loops: [promptOf(persistent)], stores: { ...stores, calls: watched } });
  await desk.carry("a", { word: "secret" });
  const hits = await desk.hits(await desk.carry("b", { word: "secret" }));
  expect(hits).toHaveLength(1);
  expect(names).toHaveLength(1);
  expect(JSON.stringify([hits, names])).not.toMatch(/secret|told/);
});
