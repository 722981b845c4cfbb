/** The checks between an action and its claim, with nested calls and crashing workers. */
import { type Model, type ScriptedReply, scriptedModel } from "@turnseal/ports";
import type { Policy, PromptSpec } from "@turnseal/protocol";
import { verifyRun } from "@turnseal/protocol/receipts";
import { describe, expect, test } from "vitest";
import { IRREVERSIBLE_LENGTH_MAX } from "../actions/compensation-facts.ts";
import { compositeLoop, promptLoop, step, toolLoop } from "../call/sample-world.test.data.ts";
import { readPolicy } from "../policy/compile-policy.ts";
import { crashAt, openRun, RUN, type SampleRun, sampleKey } from "../turn/sample-run.test.data.ts";
import { standInRun } from "../turn/stand-in-run.test.data.ts";
import { type Decided, decide, pendingIn } from "./asked-people.test.data.ts";
import { UNDO_LENGTH_MAX } from "./request-approval.ts";

const ask: Policy["rules"][number] = { id: "ask", decision: "ask", role: "finance" };
const rulesOf = (...rules: Policy["rules"]) => ({ pinned: readPolicy({ name: "test", rules }) });

const tool = (name: string, at: number) => ({ tool: name, input: { at } });
const prompt = (...tools: string[]): PromptSpec => ({
  template: "Go",
  variables: [],
  tools: tools.map((loopId) => ({ loopId })),
});
const loops = [
  promptLoop("outer", { prompt: prompt("inner", "pair", "pay") }),
  promptLoop("inner", { prompt: prompt("pay") }),
  compositeLoop("pair", [step("pay", { at: "$.input.at" }), step("pay", { at: "$.input.at" })]),
  toolLoop("pay"),
];

/** A prompt in a prompt with two payments, a composite with two, and one of the prompt's own. */
const script: readonly ScriptedReply[] = [
  { toolCalls: [tool("loop__inner", 0), tool("loop__pair", 3), tool("local__pay", 9)] },
  { toolCalls: [tool("local__pay", 1), tool("local__pay", 2)] },
  "inner is done",
  "outer is done",
];
const inOrder = [1, 2, 3, 3, 9];

interface PaidRun extends SampleRun {
  /** The payments, by key: a key pays once. */
  readonly paid: Map<string, unknown>;
}

function openPayments(options: Partial<Parameters<typeof openRun>[0]> = {}): PaidRun {
  const paid = new Map<string, unknown>();
  const run = openRun({
    loops,
    model: scriptedModel(script),
    rules: rulesOf(ask),
    tools: {
      "local.pay": {
        effect: "idempotent",
        run: (input, { key }) => {
          paid.set(key, (input as { readonly at: unknown }).at);
          return { paid: true };
        },
      },
    },
    ...options,
  });
  return { ...run, paid };
}

const one = { loops: [toolLoop("pay")], input: { at: 1 } };

/** Resumes, crashes included, until it closes; says one thing at a time. */
async function drive(run: PaidRun, pick: (count: number) => number = () => 0): Promise<unknown> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const events = await run.events();
    const closed = events.find((event) => event.type === "turn.closed");
    if (closed !== undefined) return closed.content.outcome;
    const pending = pendingIn(events);
    const next = pending[pick(pending.length)];
    try {
      await run.turn(next === undefined ? {} : { said: [decide(next)] });
    } catch (error) {
      if ((error as Error).message !== "crash") throw error;
    }
  }
  return "endless";
}

async function expectKept(run: PaidRun): Promise<void> {
  const events = standInRun(await run.events());
  const receipts: string[] = [];
  const { findings } = await verifyRun({ run: RUN, events, receipts }, { keys: [sampleKey] });
  const isSeal = /^(RUN_UNSEALED|TAIL_UNSEALED|RECEIPT_MISSING)$/;
  expect(findings.filter(({ code }) => !isSeal.test(code))).toEqual([]);
}

describe("in calls below calls", () => {
  test("all that can be asked for is asked for at once, and nothing is done", async () => {
    const run = openPayments();
    expect(await run.turn()).toMatchObject({ kind: "waiting", for: "person" });
    expect(pendingIn(await run.events())).toHaveLength(4);
    expect(run.paid.size).toBe(0);
  });

  test.each([
    ["first to last", () => 0],
    ["last to first", (count: number) => count - 1],
    ["from the middle", (count: number) => Math.floor(count / 2)],
  ])("decided %s, they are done in their own order", async (_, pick) => {
    const run = openPayments();
    await run.turn();
    expect(await drive(run, pick)).toBe("completed");
    expect([...run.paid.values()]).toEqual(inOrder);
    await expectKept(run);
  });

  test("a rejection below ends everything, and nothing is done", async () => {
    const run = openPayments();
    await run.turn();
    const [, second] = pendingIn(await run.events());
    if (second === undefined) throw new Error("two are asked for");
    const said = [decide(second, { content: { choice: "reject" } })];
    expect(await run.turn({ said })).toMatchObject({ outcome: "rejected" });
    expect(run.paid.size).toBe(0);
    await expectKept(run);
  });

  test("a cancel ends what waits, however deep", async () => {
    const run = openPayments();
    await run.turn();
    expect(await run.turn({ isCancelled: true })).toMatchObject({ outcome: "cancelled" });
    expect(run.paid.size).toBe(0);
  });
});

describe("a crash at every append, then a resume", () => {
  test.each([
    ["before", "first to last", () => 0],
    ["after", "first to last", () => 0],
    ["before", "last to first", (count: number) => count - 1],
    ["after", "last to first", (count: number) => count - 1],
  ] as const)("%s it is durable, decided %s: every payment is made once", async (when, _, pick) => {
    let places = 0;
    for (let place = 1; ; place++) {
      const crash = crashAt(place);
      let appends = 0;
      const counted = () => {
        appends += 1;
        crash();
      };
      const run = openPayments({
        model: steadyModel(),
        ...(when === "before" ? { beforeAppend: counted } : { afterAppend: counted }),
      });
      expect(await drive(run, pick)).toBe("completed");
      expect([...run.paid.values()]).toEqual(inOrder);
      await expectKept(run);
      if (appends < place) break;
      places += 1;
    }
    expect(places).toBeGreaterThan(10);
  });
});

/** A model whose answer was not recorded is asked again: this one repeats its answer. */
function steadyModel(): Model {
  return {
    defaultModel: "scripted",
    generate: async (request) => {
      const names = (request.tools ?? []).map(({ name }) => name);
      const isOuter = names.includes("loop__inner");
      const isTold = request.messages.some(({ role }) => role === "tool");
      const reply = script[isTold ? (isOuter ? 3 : 2) : isOuter ? 0 : 1];
      return scriptedModel(reply === undefined ? [] : [reply]).generate(request);
    },
  };
}

describe("one action", () => {
  const say = async (run: PaidRun, said: Decided = {}) => {
    const [asked] = pendingIn(await run.events());
    if (asked === undefined) throw new Error("nothing is asked for");
    return run.turn({ said: [decide(asked, said)] });
  };
  const waiting = { kind: "waiting" };
  const edit = (at: unknown) => ({
    content: { choice: "edit" as const },
    attached: { arguments: { at: at as number } },
  });

  test("is not done while nobody who may has decided", async () => {
    const run = openPayments(one);
    await run.turn();
    expect(await say(run, { content: { roles: [] } })).toMatchObject(waiting);
    expect(run.paid.size).toBe(0);
  });

  test("that was edited is asked for again, also where the rules allow it by then", async () => {
    const small = { id: "small", decision: "allow", when: "args.at < 5" } as const;
    const large = { ...ask, when: "args.at >= 5" };
    const run = openPayments({ ...one, input: { at: 9 }, rules: rulesOf(small, large) });
    await run.turn();
    expect(await say(run, edit(1))).toMatchObject(waiting);
    expect(run.paid.size).toBe(0);
    expect((await run.contents("approval.requested")).map(({ rule }) => rule)).toEqual([
      { id: "ask" },
      { id: "ask" },
    ]);
    expect(await say(run)).toMatchObject({ outcome: "completed" });
    expect([...run.paid.values()]).toEqual([1]);
    await expectKept(run);
  });

  test("that was edited to what the rules deny is denied", async () => {
    const none = { id: "none", decision: "deny", when: "args.at > 100" } as const;
    const run = openPayments({ ...one, rules: rulesOf(ask, none) });
    await run.turn();
    expect(await say(run, edit(101))).toMatchObject({ outcome: "denied" });
    expect(run.paid.size).toBe(0);
  });

  test("that was edited to what its loop does not take is refused", async () => {
    const inputSchema = { type: "object", properties: { at: { type: "integer" } } };
    const run = openPayments({ ...one, loops: [toolLoop("pay", { inputSchema })] });
    await run.turn();
    expect(await say(run, edit("one"))).toMatchObject({ outcome: "denied" });
    expect(run.paid.size).toBe(0);
  });

  test("can be edited again and again, and is done as it was edited last", async () => {
    const run = openPayments(one);
    await run.turn();
    for (const at of [2, 3, 4]) expect(await say(run, edit(at))).toMatchObject(waiting);
    expect(await say(run)).toMatchObject({ outcome: "completed" });
    expect([...run.paid.values()]).toEqual([4]);
    await expectKept(run);
  });

  test("that is asked for with other code than before is drift", async () => {
    const run = openPayments(one);
    await run.turn();
    const [asked] = pendingIn(await run.events());
    const see = (events: Awaited<ReturnType<typeof run.events>>) =>
      events.map((event) =>
        event.type === "approval.requested"
          ? { ...event, content: { ...event.content, digest: "hmac-sha256:another" as const } }
          : event,
      );
    if (asked === undefined) throw new Error("nothing is asked for");
    expect(await run.turn({ said: [decide(asked)], see })).toMatchObject({
      reason: "drifted",
    });
    expect(run.paid.size).toBe(0);
  });

  test("is claimed in time or not at all, by the time of the claim itself", async () => {
    const run = openPayments({ ...one, rules: rulesOf({ ...ask, useWithinMs: 1_000 }) });
    await run.turn();
    run.clock.advance(1_001);
    expect(await say(run)).toMatchObject({ outcome: "rejected", reason: "approval-expired" });
    expect(await run.types()).toContain("approval.expired");
    expect(run.paid.size).toBe(0);
    await expectKept(run);
  });

  test("says how it can be undone, in no more than UNDO_LENGTH_MAX characters", async () => {
    for (const more of [0, 1]) {
      const undo = "u".repeat(UNDO_LENGTH_MAX + more);
      const tools = { "local.pay": { effect: "idempotent" as const, undo, run: () => "paid" } };
      const run = openPayments({ ...one, tools });
      await run.turn();
      const [asked] = await run.contents("approval.requested");
      expect(asked?.undo).toBe("u".repeat(UNDO_LENGTH_MAX));
    }
  });

  test("says why it is final, in no more than IRREVERSIBLE_LENGTH_MAX characters", async () => {
    const irreversible = "f".repeat(IRREVERSIBLE_LENGTH_MAX + 1);
    const pay = { effect: "idempotent" as const, irreversible, run: () => "paid" };
    const run = openPayments({ ...one, tools: { "local.pay": pay } });
    await run.turn();
    const [asked] = await run.contents("approval.requested");
    expect(asked).toMatchObject({ irreversible: "f".repeat(IRREVERSIBLE_LENGTH_MAX) });
  });

  test("of a tool that is taken back in another way by now is asked for anew", async () => {
    const compensation = { loop: "pay.undo", version: "1.0.0", effect: "once" as const };
    const toolsWith = (build: string) => ({
      "local.pay": {
        ...{ effect: "idempotent" as const, build: "same", run: () => "paid" },
        compensation: { ...compensation, build },
      },
    });
    const run = openPayments({ ...one, tools: toolsWith("one") });
    await run.turn();
    const [asked] = pendingIn(await run.events());
    if (asked === undefined) throw new Error("nothing is asked for");
    await run.turn({ said: [decide(asked)], tools: toolsWith("two") });
    expect(await run.contents("approval.requested")).toMatchObject([
      { compensation: { build: "one" } },
      { compensation: { build: "two" }, because: "build" },
    ]);
  });

  test("stays expired when it is looked at again", async () => {
    const run = openPayments({ ...one, rules: rulesOf({ ...ask, decideWithinMs: 1_000 }) });
    await run.turn();
    run.clock.advance(1_001);
    const isExpiry = ({ type }: { readonly type: string }) => type === "approval.expired";
    expect(await run.turn()).toMatchObject({ outcome: "rejected", reason: "approval-expired" });
    expect((await run.events()).filter(isExpiry)).toHaveLength(1);
  });
});
