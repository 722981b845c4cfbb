import { chainEvents, SAMPLE_CONTENTS, sampleEvent } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { followMessage, type MessageState } from "./follow-message.ts";

const { runStarted, runDecided, signal, refused, cancel, turnStarted, answered } = SAMPLE_CONTENTS;
const bounds = { ...runStarted.spec.bounds, awaits: ["message"] };
const started = sampleEvent("run.started", {
  ...runStarted,
  spec: { ...runStarted.spec, bounds },
});
const said = (key: string, name = "message") =>
  sampleEvent("signal.received", { ...signal, key, name });
const begin = (turn: number) => sampleEvent("turn.started", turnStarted, { turn });
const decide = (sequence?: number): LoopEvent => {
  const { name, payload } = signal;
  const by = { kind: "person", id: "ada" } as const;
  const named = { sequence, hash: "c".repeat(64), by, name, payload };
  const reason = "signal-received";
  return sampleEvent("run.decided", {
    ...{ ...runDecided, reason },
    ...(sequence === undefined ? {} : { signal: { ...named, sequence } }),
  });
};

function follow(message: string, ...drafts: LoopEvent[]): (MessageState | undefined)[] {
  return chainEvents(drafts, { run: "run", epoch: 1 }).map(followMessage(message));
}

test("a message waits for the turn whose decision names it, and for no other", () => {
  const states = follow(
    "b",
    ...[
      started,
      said("a"),
      said("b"),
      decide(2),
      begin(2),
      decide(),
      begin(3),
      decide(3),
      begin(4),
    ],
    ...[decide(8), begin(5)],
  );
  expect(states.map((state) => state?.kind)).toEqual([
    ...[undefined, undefined, "queued", "queued", "queued", "queued", "queued", "queued"],
    ...["taken", "taken", "taken"],
  ]);
  expect(states.at(-1)).toEqual({ kind: "taken", turn: 4 });
});

test("a turn that is denied has taken its message, too", () => {
  const denied = sampleEvent("turn.denied", { reason: "grant-expired" }, { turn: 2 });
  expect(follow("a", started, said("a"), decide(2), denied).at(-1)).toEqual({
    ...{ kind: "taken", turn: 2 },
  });
});

test("a wait of the open turn takes the message there, also one that came before it", () => {
  const answer = (sequence: number) =>
    sampleEvent("question.answered", { ...answered, signal: sequence }, { turn: 7 });
  const heard = follow("a", started, said("a", "paid"), said("b", "paid"), answer(3), answer(2));
  expect(heard.map((state) => state?.kind)).toEqual([
    ...[undefined, "recorded", "recorded", "recorded", "taken"],
  ]);
  expect(heard.at(-1)).toEqual({ kind: "taken", turn: 7 });
  const waited = sampleEvent("signal.received", { ...signal, key: "a", name: "message", wait: 1 });
  expect(follow("a", started, waited).at(-1)).toEqual({ kind: "recorded" });
});

test("a refused message is refused, and a cancel under its key is no message", () => {
  const no = sampleEvent("signal.received", { ...refused, key: "a", of: "signal", why: "odd" });
  expect(follow("a", started, no).at(-1)).toEqual({ kind: "refused", why: "odd" });
  const other = sampleEvent("signal.received", { ...cancel, key: "a" });
  expect(follow("a", started, other, said("b")).at(-1)).toBe(undefined);
});

test("with the specification the fold begins anywhere before the message", () => {
  const fold = followMessage("a", { bounds });
  expect(fold(said("a"))).toEqual({ kind: "queued" });
  expect(followMessage("a")(said("a"))).toEqual({ kind: "recorded" });
});
