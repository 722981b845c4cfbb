import type { ModelMessage } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { estimateMessage } from "../../context/estimate-tokens.ts";
import { THREAD_ENTRIES_MAX } from "../../limits.ts";
import { createThread, type Thread } from "../thread.ts";
import { showFlat } from "./flat.ts";

const user = (text: string): ModelMessage => ({ role: "user", text });
const answer = (text: string): ModelMessage => ({
  role: "assistant",
  content: [{ kind: "text", text }],
});
const exchange = (id: string): ModelMessage[] => [
  {
    role: "assistant",
    content: [{ kind: "tool-call", toolCallId: id, toolName: "look", input: "{}" }],
  },
  { role: "tool", toolCallId: id, toolName: "look", result: { seen: id } },
];

function threadOf(messages: readonly ModelMessage[], pending: readonly ModelMessage[]): Thread {
  const thread = createThread("/");
  thread.say(messages);
  thread.record({ head: "h", since: 1, shown: { head: [], kept: [], from: 0 } });
  thread.say(pending);
  return thread;
}

const wide = {
  tokensMax: 1_000_000,
  entriesMax: THREAD_ENTRIES_MAX,
  fixedTokens: 0,
  ratio: 1,
  callFrom: 0,
};

function tokensOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0);
}

test("nothing is left out where all has room, and else half of the room stays free", () => {
  const messages = Array.from({ length: 20 }, (_, index) => user(`words number ${index}`));
  const thread = threadOf(messages, [user("new")]);
  const all = tokensOf([...messages, user("new")]);
  expect(showFlat(thread, [], { ...wide, tokensMax: all })).toBeUndefined();
  const shown = showFlat(thread, [], { ...wide, tokensMax: all - 1 });
  const sent = [...(shown?.kept ?? []), ...messages.slice(shown?.from), user("new")];
  expect(tokensOf(sent)).toBeLessThanOrEqual((all - 1) / 2);
  const more = [...(shown?.kept ?? []), ...messages.slice((shown?.from ?? 0) - 1), user("new")];
  expect(tokensOf(more)).toBeGreaterThan((all - 1) / 2);
});

test("THREAD_ENTRIES_MAX entries are shown, and one more leaves the older half out", () => {
  const messages = Array.from({ length: THREAD_ENTRIES_MAX - 1 }, () => user("a"));
  expect(showFlat(threadOf(messages, [user("new")]), [], wide)).toBeUndefined();
  const shown = showFlat(threadOf([...messages, user("a")], [user("new")]), [], wide);
  expect(shown?.from).toBe(THREAD_ENTRIES_MAX / 2 + 1);
});

test("a tool call is not parted from its result", () => {
  for (let tokensMax = 20; tokensMax < 400; tokensMax += 7) {
    const messages = [user("go"), ...Array.from({ length: 12 }, (_, i) => exchange(`${i}`)).flat()];
    const thread = threadOf(messages, [user("new")]);
    const from = showFlat(thread, [], { ...wide, tokensMax })?.from ?? 0;
    expect(messages[from]?.role, `${tokensMax}`).not.toBe("tool");
  }
});

test("the newest words stay, also when they are left out again", () => {
  const task = user("the task");
  const messages = [
    user("before"),
    task,
    ...Array.from({ length: 40 }, (_, i) => exchange(`${i}`)).flat(),
  ];
  const thread = threadOf(messages, exchange("new"));
  const room = { ...wide, tokensMax: 300 };
  const shown = showFlat(thread, [], room);
  expect(shown?.kept).toEqual([
    user(`[${shown?.from} earlier entries of this conversation were left out to make room.]`),
    task,
  ]);
  thread.record({ head: "i", since: 2, ...(shown === undefined ? {} : { shown }) });
  thread.say(Array.from({ length: 40 }, (_, i) => exchange(`again ${i}`)).flat());
  expect(showFlat(thread, [], room)?.kept[1]).toEqual(task);
  thread.say([user("another task")]);
  expect(showFlat(thread, [], room)?.kept).toHaveLength(1);
});

test.each(["copy", "repair"] as const)("a %s is no word of the user", (origin) => {
  const task = user("the task");
  const others: ModelMessage = { role: "user", text: "not theirs", origin };
  const messages = [task, answer("yes"), others];
  const later = Array.from({ length: 40 }, (_, i) => exchange(`${i}`)).flat();
  const thread = threadOf([...messages, ...later], exchange("new"));
  expect(showFlat(thread, [], { ...wide, tokensMax: 300 })?.kept[1]).toEqual(task);
});

test("what is pending is never left out", () => {
  const thread = threadOf(
    [],
    Array.from({ length: 50 }, (_, index) => answer(`${index}`)),
  );
  expect(showFlat(thread, [], { ...wide, tokensMax: 10 })).toBeUndefined();
});
