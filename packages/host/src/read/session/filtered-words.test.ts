/** Content that filters check is not shown before they let it pass. */
import { expect, test } from "vitest";
import { askFor, type ChatOptions, openChat } from "./chat.test.data.ts";

async function tell(options: ChatOptions) {
  const chat = openChat(options);
  const run = await chat.start();
  await chat.host.advance(run);
  return chat.told(run);
}

const outputFilters = [{ loopId: "guard" }];

test("words that a filter refuses are never told", async () => {
  const told = await tell({
    replies: ["the secret word"],
    loopPolicy: { outputFilters },
    guard: () => ({ allow: false }),
  });
  expect(JSON.stringify(told)).not.toContain("the secret word");
  expect(told.map(([type]) => type)).toEqual(["user-message", "generation-failure"]);
});

test("words that a filter changes are told as it has changed them", async () => {
  const told = await tell({
    replies: [askFor(["local__look", { at: 1 }]), "the secret word"],
    loopPolicy: { outputFilters },
    guard: () => ({ allow: true, value: { text: "a word" } }),
  });
  expect(told.at(-1)).toEqual(["assistant-message", { text: "a word" }]);
  expect(told.filter(([type]) => type === "assistant-message")).toHaveLength(1);
});

test("what a filter says itself is not told", async () => {
  const told = await tell({
    replies: [{ json: { allow: true } }, "Good day"],
    loopPolicy: { inputFilters: [{ loopId: "reader" }] },
  });
  expect(told).toEqual([
    ["user-message", { text: "Hello" }],
    ["assistant-message", { text: "Good day" }],
  ]);
});
