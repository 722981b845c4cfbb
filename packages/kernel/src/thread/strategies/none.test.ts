import type { ModelMessage } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { THREAD_ENTRIES_MAX } from "../../limits.ts";
import { createThread } from "../thread.ts";
import { showNone } from "./none.ts";

const user = (text: string): ModelMessage => ({ role: "user", text });
const room = {
  tokensMax: 1_000_000,
  entriesMax: THREAD_ENTRIES_MAX,
  fixedTokens: 0,
  ratio: 1,
};

test("nothing is shown of what was said before the call, and all of the call", () => {
  const thread = createThread("/");
  thread.say([user("one"), user("two")]);
  thread.record({ head: "h", since: 1, shown: { head: [], kept: [], from: 0 } });
  thread.say([user("three")]);
  expect(showNone(thread, [], { ...room, callFrom: 2 })).toEqual({ head: [], kept: [], from: 2 });
});

test("also what no request has recorded yet is not shown", () => {
  const thread = createThread("/");
  thread.say([user("one")]);
  thread.record({ head: "h", since: 1, shown: { head: [], kept: [], from: 0 } });
  thread.say([user("said at the end"), user("new")]);
  const shown = showNone(thread, [], { ...room, callFrom: 2 });
  expect(shown).toEqual({ head: [], kept: [], from: 2 });
  thread.record({ head: "i", since: 2, shown: shown ?? thread.shown() });
  expect(thread.sent()).toEqual([user("new")]);
});

test("a first call has nothing to leave out, and a long one leaves out of its own", () => {
  const thread = createThread("/");
  thread.say([user("one")]);
  expect(showNone(thread, [], { ...room, callFrom: 0 })).toBeUndefined();
  thread.say(Array.from({ length: 20 }, (_, index) => user(`words ${index}`)));
  thread.record({ head: "h", since: 1, shown: { head: [], kept: [], from: 0 } });
  expect(showNone(thread, [], { ...room, tokensMax: 60, callFrom: 0 })?.kept).toEqual([
    user("[20 earlier entries of this conversation were left out to make room.]"),
  ]);
});
