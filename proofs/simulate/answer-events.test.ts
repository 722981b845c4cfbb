import type { LoopEvent } from "@turnseal/protocol";
import { LOG_EVENT_TYPES } from "@turnseal/protocol/trace";
import { expect, test } from "vitest";
import { answerEvents } from "./answer-events.ts";

const isOther = (type: (typeof LOG_EVENT_TYPES)[number]) =>
  type !== "turn.closed" && type !== "log";
const others = LOG_EVENT_TYPES.filter(isOther) as Exclude<
  (typeof LOG_EVENT_TYPES)[number],
  "turn.closed" | "log"
>[];
const event = (type: string): LoopEvent => ({ type }) as unknown as LoopEvent;

test("a watcher is told of the types that it answers, and of no other", () => {
  const told: string[] = [];
  const tell = ({ type }: { readonly type: string }): void => void told.push(type);
  const watch = answerEvents(others, { "turn.closed": tell, log: tell });
  for (const type of [...LOG_EVENT_TYPES, "acme.hit"]) watch(event(type));
  expect(told).toEqual(["turn.closed", "log"]);
});

test("a type that was named nowhere is a fault, and does not compile", () => {
  const [, ...fewer] = others;
  // @ts-expect-error One type is neither ignored nor answered.
  const watch = answerEvents(["log"], { "turn.closed": () => {} });
  expect(fewer.length).toBeGreaterThan(20);
  expect(() => watch(event("run.started"))).toThrow("unexpected value");
});
