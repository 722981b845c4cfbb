import type { EventEnvelope } from "@turnseal/protocol/events";
import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEnvelope } from "./apply-envelope.ts";
import { conversation, envelope, run } from "./sample-envelopes.test.data.ts";
import { emptySession, SESSION_EVENTS_MAX, type SessionState } from "./session-state.ts";

function fold(events: readonly EventEnvelope[]): SessionState {
  return events.reduce(applyEnvelope, emptySession(run));
}

function toolStatuses({ items }: SessionState): string[] {
  return items.flatMap((item) => (item.kind === "tool" ? [item.status] : []));
}

describe("the fold of a conversation", () => {
  test("has one item for each message and each tool, in the order of the log", () => {
    const { items } = fold(conversation);
    expect(items.map(({ kind }) => kind)).toEqual([
      "user",
      "reasoning",
      "assistant",
      "tool",
      "assistant",
      "user",
      "tool",
      "abort",
    ]);
    expect(items[3]).toMatchObject({
      toolName: "local.pay",
      status: "done",
      args: { cents: 4200 },
      description: "Pay 42?",
      result: { ok: true },
      output: "sent\n",
      message: "b",
    });
  });

  test("keeps what an answer rests on with its words", () => {
    const sources = [{ id: "1", url: "https://example.com/oslo" }];
    const said = envelope("assistant-message", { text: "It is cold", sources }, { sequence: 1 });
    expect(fold([said]).items).toMatchObject([{ kind: "assistant", text: "It is cold", sources }]);
  });

  test("says from which words on the model has a summary, and of what", () => {
    const summarized = { from: 0, to: 6 };
    const said = envelope("assistant-message", { text: "Yes", summarized }, { sequence: 1 });
    const more = envelope("assistant-message", { text: "And more" }, { sequence: 2 });
    const [first, second] = fold([more, said]).items;
    expect(first).toMatchObject({ kind: "assistant", text: "Yes", summarized });
    expect(second).not.toHaveProperty("summarized");
  });

  test("is the same in every order and with every repetition", () => {
    const whole = fold(conversation);
    const arrivals = array(constantFrom(...conversation), { maxLength: 60 });
    assert(
      property(arrivals, (some) => {
        const state = fold([...some, ...conversation.toReversed(), ...some]);
        expect(state).toEqual(whole);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test("keeps the state itself when nothing is new, so that nothing is drawn again", () => {
    const whole = fold(conversation);
    for (const event of conversation) expect(applyEnvelope(whole, event)).toBe(whole);
  });

  test("keeps the items that did not change", () => {
    const before = fold(conversation.slice(0, 5));
    const after = fold(conversation.slice(0, 5).concat(conversation.slice(6, 7)));
    expect(applyEnvelope(before, conversation[6] as EventEnvelope)).toEqual(after);
    expect(applyEnvelope(before, conversation[6] as EventEnvelope).items[0]).toBe(before.items[0]);
  });

  test("takes nothing of another run", () => {
    const state = fold(conversation);
    const stranger = { ...envelope("user-message", { text: "x" }, { sequence: 99 }), run: "other" };
    expect(applyEnvelope(state, stranger)).toBe(state);
  });
});

describe("a tool", () => {
  const place = (sequence: number) => ({ sequence, message: "b" });
  const tool = { toolCallId: "call-1", toolName: "local.pay" };

  test("waits, runs and ends in one item", () => {
    const counts = [4, 5, 6, 7].map((length) => toolStatuses(fold(conversation.slice(0, length))));
    expect(counts).toEqual([["running"], ["pending_approval"], ["running"], ["done"]]);
  });

  test("that a person refused is rejected; one that failed has failed", () => {
    const call = envelope("tool-call", { ...tool, args: {} }, place(1));
    const no = { ...tool, error: "no", isUserRejection: true };
    expect(toolStatuses(fold([call, envelope("tool-error", no, place(2))]))).toEqual(["rejected"]);
    const broken = { ...tool, error: "broken" };
    expect(toolStatuses(fold([call, envelope("tool-error", broken, place(2))]))).toEqual([
      "failed",
    ]);
  });

  test("does not run on after its generation was stopped or has failed", () => {
    const call = envelope("tool-call", { ...tool, args: {} }, place(1));
    const failure = envelope("generation-failure", { error: "away" }, { sequence: 2 });
    expect(toolStatuses(fold([call, failure]))).toEqual(["failed"]);
    const other = envelope("generation-failure", { error: "away" }, { sequence: 2, generation: 2 });
    expect(toolStatuses(fold([call, other]))).toEqual(["running"]);
  });

  test("of a later generation is another one, though the provider counts its calls anew", () => {
    const first = envelope("tool-call", { ...tool, args: { cents: 1 } }, place(1));
    const second = envelope(
      "tool-call",
      { ...tool, args: { cents: 2 } },
      { sequence: 5, generation: 2 },
    );
    expect(toolStatuses(fold([first, second]))).toEqual(["running", "running"]);
  });

  test("is shown by its result alone while its request has not arrived", () => {
    const { items } = fold([envelope("tool-result", { ...tool, result: 1 }, place(2))]);
    expect(items).toMatchObject([{ kind: "tool", status: "done", toolName: "local.pay" }]);
    expect(items[0]).not.toHaveProperty("args");
  });
});

describe("every other type has its item", () => {
  test.each([
    ["trigger", { triggerName: "nightly", payload: { n: 1 } }, { name: "nightly" }],
    ["other-agent-message", { text: "hello" }, { kind: "agent", text: "hello" }],
    ["loop-triggered", { triggeredBy: "each" }, { kind: "child" }],
    ["generation-failure", { error: "MODEL_FAILED" }, { kind: "failure", error: "MODEL_FAILED" }],
  ] as const)("%s", (type, content, expected) => {
    expect(fold([envelope(type, content, { sequence: 1 })]).items).toMatchObject([expected]);
  });
});

test("at SESSION_EVENTS_MAX nothing is forgotten; one past it, the oldest are", () => {
  const texts = Array.from({ length: SESSION_EVENTS_MAX }, (_, at) =>
    envelope("user-message", { text: `${at}` }, { sequence: at + 1 }),
  );
  // Folding one by one takes a while at this length, and is tested above.
  const full: SessionState = { ...emptySession(run), events: texts.slice(0, -1) };
  const atMax = applyEnvelope(full, texts.at(-1) as EventEnvelope);
  expect(atMax.events).toHaveLength(SESSION_EVENTS_MAX);
  const next = envelope("user-message", { text: "x" }, { sequence: SESSION_EVENTS_MAX + 1 });
  const { events, items } = applyEnvelope(atMax, next);
  expect(events).toHaveLength(SESSION_EVENTS_MAX * 0.75 + 1);
  expect(items).toHaveLength(events.length);
  expect(events.at(-1)).toBe(next);
});
