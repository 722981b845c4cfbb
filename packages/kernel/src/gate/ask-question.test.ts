/** Questions inside a turn, where several stand beside each other and workers crash. */
import { scriptedModel } from "@turnseal/ports";
import { answersQuestion } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { compositeLoop, promptLoop, step, toolLoop } from "../call/sample-world.test.data.ts";
import { crashAt, openRun, type SampleRun } from "../turn/sample-run.test.data.ts";
import { type Answered, answer, pendingIn } from "./asked-people.test.data.ts";

const question = (config: Record<string, string | number> = {}) =>
  toolLoop("confirm", {
    outputSchema: { type: "object", required: ["sure"] },
    tool: { implementation: "turnseal.question", config },
  });
const sure = { attached: { answer: { sure: true } } };

async function reply(run: SampleRun, said: Answered = sure) {
  const [asked] = pendingIn(await run.events());
  if (asked === undefined) throw new Error("nothing is asked");
  return run.turn({ said: [answer(asked, { ...sure, ...said })] });
}

const waiting = { kind: "waiting", for: "person" };

test("a question claims nothing and reserves nothing", async () => {
  const run = openRun({ loops: [question()], budget: { toolCalls: 0, effects: 0 } });
  expect(await run.turn()).toMatchObject(waiting);
  expect(await reply(run)).toMatchObject({ outcome: "completed", output: { sure: true } });
  expect(await run.types()).not.toContain("action.claimed");
});

test("a question is asked only if the grant has it", async () => {
  const run = openRun({ loops: [question()], grant: { tools: [] } });
  expect(await run.turn()).toMatchObject({ outcome: "denied" });
  expect(await run.types()).not.toContain("question.asked");
});

test.each<[string, Answered]>([
  ["without the role", { content: { roles: ["support"] } }],
  ["too late", { content: { receivedAt: "2027-01-01T00:00:00.000Z" } }],
  ["at no time", { content: { receivedAt: "soon" } }],
  ["to another question", { content: { hash: "0".repeat(64) } }],
])("an answer %s is none", async (_, said) => {
  const run = openRun({ loops: [question({ role: "finance", withinMs: 60_000 })] });
  await run.turn();
  expect(await reply(run, said)).toMatchObject(waiting);
});

test("an agent's answer is none to a question for a person", async () => {
  const run = openRun({ loops: [question()] });
  await run.turn();
  const [asked] = pendingIn(await run.events());
  if (asked === undefined) throw new Error("nothing is asked");
  const said = answer(asked, sure);
  const byAgent = { ...said, actor: { kind: "agent", id: "courier" } } as const;
  expect(await run.turn({ said: [byAgent] })).toMatchObject(waiting);
});

test("without a time it waits for ever; with one it expires, once", async () => {
  const run = openRun({ loops: [question()] });
  expect(await run.turn()).toMatchObject({ ...waiting, untilMs: undefined });
  run.clock.advance(10 * 365 * 24 * 60 * 60 * 1000);
  expect(await run.turn()).toMatchObject({ ...waiting, untilMs: undefined });

  const timed = openRun({ loops: [question({ withinMs: 1_000 })] });
  await timed.turn();
  timed.clock.advance(1_001);
  expect(await timed.turn()).toMatchObject({ outcome: "rejected", reason: "approval-expired" });
  expect((await timed.types()).filter((type) => type === "approval.expired")).toHaveLength(1);
});

test("a cancel ends a question that waits", async () => {
  const run = openRun({ loops: [question()] });
  await run.turn();
  expect(await run.turn({ isCancelled: true })).toMatchObject({ outcome: "cancelled" });
});

test("a question that the code asks otherwise is drift", async () => {
  const run = openRun({ loops: [question()] });
  await run.turn();
  const [asked] = pendingIn(await run.events());
  if (asked === undefined) throw new Error("nothing is asked");
  const { registry } = openRun({ loops: [question({ role: "finance" })] });
  // The definition is another too, which is noticed first: so the event is what differs below.
  expect(await run.turn({ registry })).toMatchObject({ block: { cause: "loop-changed" } });
  const other = openRun({ loops: [question()] });
  await other.turn();
  const see = (events: Awaited<ReturnType<typeof other.events>>) =>
    events.map((event) =>
      event.type === "question.asked"
        ? { ...event, content: { ...event.content, digest: "hmac-sha256:another" as const } }
        : event,
    );
  expect(await other.turn({ see })).toMatchObject({ reason: "drifted" });
});

describe("a crash at every append, then a resume", () => {
  const loops = [
    compositeLoop("both", [step("confirm"), step("ask")]),
    question(),
    promptLoop("ask", {
      prompt: { template: "Go", variables: [], tools: [{ loopId: "confirm" }, { loopId: "look" }] },
    }),
    toolLoop("look"),
  ];

  test.each(["beforeAppend", "afterAppend"] as const)("%s", async (when) => {
    let places = 0;
    for (let place = 1; ; place++) {
      let appends = 0;
      const crash = crashAt(place);
      const run = openRun({
        loops,
        model: {
          defaultModel: "scripted",
          generate: async (request) => {
            const isTold = request.messages.some(({ role }) => role === "tool");
            const calls = ["turnseal__question", "local__look", "turnseal__question"];
            const toolCalls = calls.map((tool, index) => ({ tool, input: { index } }));
            return scriptedModel([isTold ? "done" : { toolCalls }]).generate(request);
          },
        },
        tools: { "local.look": { effect: "read", run: () => "seen" } },
        [when]: () => {
          appends += 1;
          crash();
        },
      });
      expect(await drive(run)).toBe("completed");
      const asked = (await run.events()).filter((event) => event.type === "question.asked");
      expect(asked).toHaveLength(3);
      const answered = (await run.events()).filter((event) =>
        asked.some((each) => answersQuestion(each, event)),
      );
      expect(answered).toHaveLength(3);
      if (appends < place) break;
      places += 1;
    }
    expect(places).toBeGreaterThan(5);
  });

  /** Answers the last question first. */
  async function drive(run: SampleRun): Promise<unknown> {
    for (let attempt = 0; attempt < 40; attempt++) {
      const events = await run.events();
      const closed = events.find((event) => event.type === "turn.closed");
      if (closed !== undefined) return closed.content.outcome;
      const asked = pendingIn(events).at(-1);
      try {
        await run.turn(asked === undefined ? {} : { said: [answer(asked, sure)] });
      } catch (error) {
        if ((error as Error).message !== "crash") throw error;
      }
    }
    return "endless";
  }
});
