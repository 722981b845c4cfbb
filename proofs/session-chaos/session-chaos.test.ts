/**
 * A few sessions of the chaos client, over the real server that is killed meanwhile; and clients
 * that are wrong, which the same comparison must notice.
 */
import type { EventContents, EventEnvelope, EventType } from "@turnseal/protocol/events";
import { describe, expect, test } from "vitest";
import { expectItems, showItems } from "./expected-items.ts";
import { CARELESS_DELTAS, REDUCERS, replay } from "./mutants.ts";
import { runSessionChaos } from "./run-session-chaos.ts";
import { summarize } from "./session-table.ts";

test("every tab shows what the log says, whatever the network and the server do", async () => {
  const options = { sessions: 12, seed: 7, killMs: 4_000, width: 6 };
  const { figures, caught, problems } = await runSessionChaos(options);
  expect(problems).toEqual([]);
  expect(figures).toMatchObject({ sessions: 12, equal: 12, wrong: 0, paymentsAstray: 0 });
  expect(figures.cuts + figures.duplicates + figures.reorders).toBeGreaterThan(0);
  expect(caught["true"]).toBeUndefined();
}, 180_000);

const run = "0b5e7f6e-1c1d-4c3a-9d3b-5a3c1d2e3f40";

function event<Type extends EventType>(
  sequence: number,
  type: Type,
  content: EventContents[Type],
): EventEnvelope {
  // The type and its content belong together; the compiler cannot see it through the parameter.
  return {
    ...{ id: `${run}/${sequence}.0`, run, sequence, type, content },
    ...{
      createdAt: "2026-01-02T03:04:05.000Z",
      generationId: `${run}/1`,
      message: `m${sequence}.0`,
    },
  } as EventEnvelope;
}

const log = [
  event(1, "user-message", { text: "one" }),
  event(2, "assistant-message", { text: "two three" }),
  event(3, "user-message", { text: "four" }),
  event(4, "tool-call", { toolCallId: "c", toolName: "pay", args: {} }),
  event(5, "tool-result", { toolCallId: "c", toolName: "pay", result: 1 }),
  event(6, "assistant-message", { text: "five" }),
];

function record(...frames: (readonly [string, object])[]): string[] {
  return [
    frames.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join(""),
  ];
}
const stored = (...places: number[]) =>
  places.map((place) => ["event", log[place - 1] ?? {}] as const);

function show(recording: readonly string[], name: string): unknown[] {
  const reducer = REDUCERS[name];
  return reducer === undefined ? [] : showItems([...replay(run, recording, reducer)].at(-1) ?? []);
}

describe("a client is noticed", () => {
  test.each([
    ["drop", record(...stored(1, 2, 3, 4, 5, 6))],
    ["double", record(...stored(1, 2, 2, 3, 4, 5, 6))],
    ["reorder", record(...stored(1, 3, 2, 4, 5, 6))],
  ])("that would %s events; the true one is not", (name, recording) => {
    expect(show(recording, name)).not.toEqual(expectItems(log));
    expect(show(recording, "true")).toEqual(expectItems(log));
  });

  test("that joins pieces without a look at where they belong", () => {
    const piece = (offset: number, text: string) =>
      [
        "delta",
        { generationId: `${run}/1`, message: "m2.0", kind: "text", epoch: 1, offset, text },
      ] as const;
    const recording = record(piece(0, "two "), piece(0, "two "), piece(4, "three"));
    const texts = (reducer: typeof CARELESS_DELTAS) =>
      [...replay(run, recording, reducer)].map((items) => JSON.stringify(showItems(items)));
    expect(texts(CARELESS_DELTAS).at(-1)).toContain("two two three");
    expect(texts(REDUCERS["true"] ?? CARELESS_DELTAS).at(-1)).toContain('"two three"');
  });
});

test("a run in which nothing was hard proves nothing, and does not pass", async () => {
  const zero = Object.fromEntries(
    [
      ...["sessions", "equal", "wrong", "envelopes", "twoTabs", "restarts", "cuts", "duplicates"],
      ...["reorders", "lostAnswers", "doubleRequests", "foreignPlaces", "refreshes", "sleeps"],
      ...["refreshesWhileAsked", "contests", "aborts", "payments", "paymentsAstray"],
    ].map((name) => [name, 0]),
  ) as unknown as Parameters<typeof summarize>[0]["figures"];
  const caught = { drop: 1, double: 1, reorder: 1, "careless pieces": 1 };
  const easy = { figures: { ...zero, sessions: 1, equal: 1 }, caught, problems: [] };
  expect(summarize(easy, 1).pass).toBe(false);
  const hard = Object.fromEntries(Object.keys(zero).map((name) => [name, 1]));
  const figures = { ...zero, ...hard, wrong: 0, paymentsAstray: 0 };
  expect(summarize({ ...easy, figures }, 1).pass).toBe(true);
  expect(summarize({ ...easy, figures: { ...figures, wrong: 1 } }, 1).pass).toBe(false);
  expect(summarize({ ...easy, figures, caught: { ...caught, true: 1 } }, 1).pass).toBe(false);
  expect(summarize({ ...easy, figures, caught: { drop: 1 } }, 1).pass).toBe(false);
});
