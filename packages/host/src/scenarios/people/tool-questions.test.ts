// A tool that needs an answer in the middle of its call, from the question to the receipt.
import { manualClock, memoryStores, type Stores, scriptedModel, seededIds } from "@turnseal/ports";
import { canonicalize, type Effect, type EventOf, type JsonValue } from "@turnseal/protocol";
import {
  defineTool,
  jsonSchema,
  needsAnswer,
  planStarter,
  type ToolContext,
  type ToolQuestion,
} from "@turnseal/protocol/authoring";
import { verifyRun } from "@turnseal/protocol/receipts";
import { describe, expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { ada, signer, signingKey } from "../__fixtures__/refund-desk.ts";

const account = {
  type: "object",
  properties: { account: { type: "string" } },
  required: ["account"],
  additionalProperties: false,
};
const which: ToolQuestion = {
  question: "Which account?",
  schema: account,
  state: { cursor: "opaque \u0001", list: [1] },
};

type Run = (input: { cents: number }, context: ToolContext) => JsonValue;

interface Place {
  readonly effect?: Effect;
  readonly rules?: readonly object[];
  readonly budget?: Record<string, number>;
  /** True while the process of the worker is gone. */
  readonly isLost?: () => boolean;
}

/** A payment that asks for its account, and what it was called with. */
async function open(
  run: Run,
  { effect = "once", rules, budget = {}, isLost = () => false }: Place = {},
) {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const ids = seededIds("tool-questions");
  const called: { readonly key: string; readonly answered: unknown }[] = [];
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", effect, build: "1" },
    input: jsonSchema<{ cents: number }>({ type: "object" }),
    output: jsonSchema<JsonValue>(true),
    run: (input, context) => {
      called.push({ key: context.key, answered: context.answered });
      return run(input, context);
    },
  });
  const policy = rules === undefined ? {} : { policy: { name: "ask", rules } as never };
  const append: Stores["log"]["append"] = (events) => {
    if (isLost()) throw new Error("the worker is lost");
    return stores.log.append(events);
  };
  const seen = { ...stores, log: { ...stores.log, append } };
  const worker = () =>
    createLocalHost({
      ...{ loops: [pay], stores: seen, signer, clock, ids },
      models: { scripted: scriptedModel([]) },
    });
  let host = worker();
  const grant = { grantor: "ada", tools: ["local.pay"], budget };
  const id = await host.start(pay, { cents: 700 }, { grant, ...policy });
  const drive = async (): Promise<string> => {
    const advanced = await host.advance(id);
    if (!("projection" in advanced)) return advanced.dues.why;
    return advanced.projection.stopped ?? advanced.dues.kind;
  };
  return {
    ...{ called, clock, stores, run: id, drive, pay },
    host: () => host,
    /** Another process goes on with the run. */
    restart: () => {
      host = worker();
    },
    request: async () => {
      const [request] = await host.requests(id);
      if (request === undefined) throw new Error("nothing is asked");
      return request;
    },
    answer: async (answer: JsonValue) => {
      const [request] = await host.requests(id);
      return host.answer(id, request?.id ?? "", { answer, by: ada });
    },
    events: () => stores.log.read(id, 1),
  };
}

const askOnce: Run = (_, { answered }) => {
  if (answered === undefined) throw needsAnswer(which);
  return { paid: answered.answer };
};

async function findingsOf(run: string, stores: Stores): Promise<unknown> {
  const events = await stores.log.read(run, 1);
  const sealed = await stores.receipts.list(run, 1);
  const receipts = sealed.map(({ envelope }) => canonicalize(envelope));
  return (await verifyRun({ run, events, receipts }, { keys: [signingKey] })).findings;
}

test("a person answers, and the tool is called again with the answer and its state", async () => {
  const place = await open(askOnce);
  expect(await place.drive()).toBe("wait");
  expect(await place.request()).toMatchObject({
    ...{ kind: "question", name: "person", loop: "pay" },
  });
  // The state is the tool's own.
  expect((await place.request()).request).toEqual({ question: "Which account?", schema: account });
  place.restart();
  await place.answer({ account: "A-1" });
  expect(await place.drive()).toBe("goal-reached");
  expect(await place.host().readOutput(place.pay, place.run)).toEqual({ paid: { account: "A-1" } });
  const [first, second] = place.called;
  expect(place.called).toHaveLength(2);
  expect(first?.answered).toBeUndefined();
  expect(second?.answered).toEqual({ answer: { account: "A-1" }, state: which.state });
  // Another action: a server that keeps the first answer under its key would repeat the question.
  expect(second?.key).not.toBe(first?.key);
  expect(await findingsOf(place.run, place.stores)).toEqual([]);
});

test("the log keeps the question apart, and counts an attempt that did nothing", async () => {
  const place = await open(askOnce, { budget: { effects: 1, toolCalls: 2 } });
  await place.drive();
  await place.answer({ account: "A-1" });
  expect(await place.drive()).toBe("goal-reached");
  const events = await place.events();
  expect(JSON.stringify(events)).not.toContain("account?");
  expect(JSON.stringify(events)).not.toContain("A-1");
  const settled = events.filter((event) => event.type === "action.settled");
  const claims = events.filter((event) => event.type === "action.claimed");
  const asked = events.find(
    (event) => event.type === "question.asked",
  ) as EventOf<"question.asked">;
  expect(settled.map(({ content }) => [content.status, content.spent])).toEqual([
    ["failed", { toolCalls: 1 }],
    ["ok", { toolCalls: 1, effects: 1 }],
  ]);
  expect(asked.content.claim).toBe(claims[0]?.sequence);
});

test("a call waits through any number of workers, and each attempt acts once", async () => {
  const place = await open((_, { answered }) => {
    const round = Number((answered?.state as { round?: number } | undefined)?.round ?? 0);
    if (round < 3) throw needsAnswer({ ...which, state: { round: round + 1 } });
    return { round };
  });
  for (let round = 0; round < 3; round++) {
    expect(await place.drive()).toBe("wait");
    place.restart();
    expect(await place.drive()).toBe("wait");
    await place.answer({ account: `A-${round}` });
  }
  expect(await place.drive()).toBe("goal-reached");
  expect(place.called.map(({ answered }) => answered)).toMatchObject([
    undefined as never,
    { answer: { account: "A-0" }, state: { round: 1 } },
    { answer: { account: "A-1" }, state: { round: 2 } },
    { answer: { account: "A-2" }, state: { round: 3 } },
  ]);
  expect(await findingsOf(place.run, place.stores)).toEqual([]);
});

describe("an answer that does not fit is refused at the door, and in the log", () => {
  test.each<[string, JsonValue]>([
    ["of another shape", { account: 7 }],
    ["with a field too many", { account: "A-1", more: true }],
    ["that is no object", "A-1"],
  ])("%s", async (_, answer) => {
    const place = await open(askOnce);
    await place.drive();
    await expect(place.answer(answer)).rejects.toThrow("does not fit the question of pay");
    const { hash } = (await place.request()) as { readonly hash: string };
    const body = { question: hash, answer, by: { id: "ada", roles: [] } };
    await place.stores.inbox.put({ run: place.run, kind: "answer", key: "row", body });
    expect(await place.drive()).toBe("wait");
    expect(place.called).toHaveLength(1);
    const events = await place.events();
    expect(
      events.flatMap(({ type, content }) =>
        type === "signal.received" && content.kind === "refused" ? [content.why] : [],
      ),
    ).toEqual(["answer-wrong"]);
  });
});

test("a question of TOOL_QUESTION_LENGTH_MAX and TOOL_QUESTION_BYTES_MAX is asked", async () => {
  const long = { ...which, question: "x".repeat(2_000), state: "" };
  const state = "x".repeat(65_536 - Buffer.byteLength(canonicalize(long)));
  const place = await open(() => {
    throw needsAnswer({ ...long, state });
  });
  expect(await place.drive()).toBe("wait");
  await place.request();
});

test("an expired question is a denial, and the tool is not called again", async () => {
  const place = await open(() => {
    throw needsAnswer({ ...which, withinMs: 60_000 });
  });
  expect(await place.drive()).toBe("wait");
  place.clock.advance(60_002);
  expect(await place.drive()).toBe("approval-expired");
  expect(place.called).toHaveLength(1);
  expect(await findingsOf(place.run, place.stores)).toEqual([]);
});

test("a rule judges each attempt: the answer needs an approval of its own", async () => {
  const rules = [{ id: "pay", decision: "ask", approvers: 1 }];
  const place = await open(askOnce, { rules });
  expect(await place.drive()).toBe("wait");
  const approve = async () => {
    const { id } = await place.request();
    return place.host().decide(place.run, id, { choice: "approve", by: ada });
  };
  await approve();
  expect(await place.drive()).toBe("wait");
  await place.answer({ account: "A-1" });
  expect(await place.drive()).toBe("wait");
  expect(place.called).toHaveLength(1);
  expect((await place.request()).request).toEqual({
    input: { cents: 700 },
    answer: { account: "A-1" },
  });
  await approve();
  expect(await place.drive()).toBe("goal-reached");
  expect(await findingsOf(place.run, place.stores)).toEqual([]);
});

test("an edit holds: the attempt with the answer has the edited arguments", async () => {
  const place = await open(askOnce, { rules: [{ id: "pay", decision: "ask", approvers: 1 }] });
  const decide = async (choice: "approve" | "edit") => {
    const { id } = await place.request();
    const edited = choice === "edit" ? { arguments: { cents: 10 } } : {};
    await place.host().decide(place.run, id, { choice, by: ada, ...edited });
    return place.drive();
  };
  await place.drive();
  await decide("edit");
  await decide("approve");
  place.restart();
  await place.answer({ account: "A-1" });
  await place.drive();
  expect((await place.request()).request).toMatchObject({ input: { cents: 10 } });
  expect(await decide("approve")).toBe("goal-reached");
  expect(await findingsOf(place.run, place.stores)).toEqual([]);
});

test("a call asks at most TOOL_QUESTIONS_MAX questions", async () => {
  const most = 16;
  const place = await open(() => {
    throw needsAnswer(which);
  });
  for (let question = 0; question < most; question++) {
    expect(await place.drive()).toBe("wait");
    await place.answer({ account: "A-1" });
  }
  expect(await place.drive()).toBe("failed");
  expect(place.called).toHaveLength(most + 1);
  expect(await findingsOf(place.run, place.stores)).toEqual([]);
});

describe("a question that cannot be asked is a failure of the tool that did nothing", () => {
  test.each<[string, unknown]>([
    ["no object", "Which?"],
    ["nothing", undefined],
    ["without words", { ...which, question: "" }],
    ["words past TOOL_QUESTION_LENGTH_MAX", { ...which, question: "x".repeat(2_001) }],
    ["a schema of a text", { ...which, schema: { type: "string" } }],
    ["no schema", { question: "Which?" }],
    [
      "a schema that refers to the network",
      { ...which, schema: { type: "object", $ref: "https://example.com/a" } },
    ],
    ["another reader", { ...which, to: "everybody" }],
    ["a time of nothing", { ...which, withinMs: 0 }],
    ["an unknown field", { ...which, silent: true }],
    ["more than TOOL_QUESTION_BYTES_MAX", { ...which, state: "x".repeat(65_536) }],
  ])("%s", async (_, asks) => {
    const place = await open(() => {
      throw needsAnswer(asks as ToolQuestion);
    });
    expect(await place.drive()).toBe("failed");
    const settled = (await place.events()).find((event) => event.type === "action.settled");
    expect(settled?.content).toMatchObject({ status: "failed", spent: { toolCalls: 1 } });
    expect(settled?.content).not.toHaveProperty("asks");
    expect(await findingsOf(place.run, place.stores)).toEqual([]);
  });
});

test("a rollback gets the input of the tool, and no person sees its state", async () => {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const undone: unknown[] = [];
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", effect: "once", build: "1" },
    input: jsonSchema<{ cents: number }>({ type: "object" }),
    output: jsonSchema<JsonValue>(true),
    run: askOnce,
    compensate: {
      build: "1",
      run: (_, { input }) => {
        undone.push(input);
        return { text: "undone" };
      },
    },
  });
  const ids = seededIds("rolled-back");
  const models = { scripted: scriptedModel([]) };
  const host = createLocalHost({ loops: [pay, planStarter], stores, signer, clock, ids, models });
  const grant = { grantor: "ada", tools: ["local.pay", "local.pay.undo", "turnseal.plan"] };
  const run = await host.start(pay, { cents: 700 }, { grant: { ...grant, budget: {} }, by: "ada" });
  await host.advance(run);
  const [question] = await host.requests(run);
  await host.answer(run, question?.id ?? "", { answer: { account: "A-1" }, by: ada });
  await host.drive(run);
  const rollback = await host.rollback(run, { by: "ada", toTurn: 0 });
  if (rollback.kind !== "proposed") throw new Error(`the rollback is ${rollback.kind}`);
  await host.drive(rollback.run);
  const [plan] = await host.requests(rollback.run);
  expect(JSON.stringify(plan)).toContain('"cents":700');
  expect(JSON.stringify(plan)).not.toContain("opaque");
  await host.decide(rollback.run, plan?.id ?? "", { choice: "approve", by: ada });
  await host.drive(rollback.run);
  expect(undone).toEqual([{ cents: 700 }]);
});

describe("a call may have acted, and the next one under its key asks", () => {
  const payThenAsk = (end: () => void) => {
    const paid: string[] = [];
    const run: Run = (_, { answered, key }) => {
      if (paid.length === 0 || answered !== undefined) {
        paid.push(key);
        end();
        return { paid: key };
      }
      throw needsAnswer({ ...which, question: "The balance is low. Pay all the same?" });
    };
    return { paid, run };
  };

  test("the lost call of another worker stays unknown, and a person resolves it", async () => {
    let isLost = false;
    const { paid, run } = payThenAsk(() => {
      isLost = true;
    });
    const place = await open(run, { effect: "idempotent", isLost: () => isLost });
    await expect(place.drive()).rejects.toThrow("the worker is lost");
    isLost = false;
    place.restart();
    place.clock.advance(600_000);
    for (let look = 0; look < 3; look++) {
      await place.drive();
      place.clock.advance(600_000);
    }
    expect(await place.host().requests(place.run)).toMatchObject([{ kind: "unknown" }]);
    expect(paid).toHaveLength(1);
  });
});
