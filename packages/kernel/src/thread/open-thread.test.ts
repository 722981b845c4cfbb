import type { ModelMessage } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { SUMMARY_SHARE_DEFAULT, SUMMARY_TOKENS_MAX } from "../limits.ts";
import { openThread } from "./open-thread.ts";
import { createThread } from "./thread.ts";

const user = (text: string): ModelMessage => ({ role: "user", text });

/** A thread of so many tokens; each entry has four. */
function openWith(tokens: number, strategy: "flat" | "summary", tokensMax: number) {
  const built = { settings: {}, head: [], words: user(""), promptLength: 0, leftOut: [] };
  const thread = createThread("/");
  thread.say(Array.from({ length: tokens / 4 - 1 }, () => user("")));
  if (strategy === "summary")
    thread.record({ head: "h", since: 1, shown: { head: [], kept: [], from: 0 } });
  return openThread(thread, built, {
    ...{ tokensMax, isStated: false, context: { strategy }, continues: false },
    sealKept: (value) => {
      const bytes = new TextEncoder().encode(JSON.stringify(value));
      const digest = `hmac-sha256:${"0".repeat(64)}` as const;
      const kept = { digest, size: bytes.length, mediaType: "application/json", bytes };
      return { kept, mark: kept };
    },
  });
}

test("a request has as many tokens as its window, and not one entry more", () => {
  expect(openWith(4_000, "flat", 4_000).next()).toMatchObject({
    kind: "ok",
    value: { contextTokens: 4_000 },
  });
  expect(openWith(4_004, "flat", 4_000).next()).toMatchObject({
    error: { details: { fault: "CONTEXT_TOO_LARGE" } },
  });
});

test("entries are summarised past SUMMARY_SHARE_DEFAULT of the window", () => {
  const most = 20_000 * SUMMARY_SHARE_DEFAULT;
  expect(openWith(most, "summary", 20_000).summarizing?.find(10_000)).toBeUndefined();
  expect(openWith(most + 4, "summary", 20_000).summarizing?.find(10_000)?.from).toBe(0);
  expect(openWith(most + 4, "flat", 20_000).summarizing).toBeUndefined();
});

test("a summary may have SUMMARY_TOKENS_MAX tokens, and less where the window is small", () => {
  const asked = (tokensMax: number) =>
    openWith(tokensMax, "summary", tokensMax).summarizing?.find(100_000)?.tokensMax;
  expect(asked(20_000)).toBe(SUMMARY_TOKENS_MAX);
  expect(asked(4_000)).toBe(560);
});

test("what cannot be read at once is left out, and why is said", () => {
  const conversation = openWith(20_000, "summary", 20_000);
  expect(conversation.summarizing?.find(1)).toBeUndefined();
  expect(conversation.next()).toMatchObject({
    value: { thread: { strategy: "flat", unsummarized: "too-large" } },
  });
});
