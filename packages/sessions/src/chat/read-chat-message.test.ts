import { expect, test } from "vitest";
import { type ChatMessage, readChatMessage } from "./read-chat-message.ts";

function say(...texts: readonly unknown[]): ChatMessage {
  const parts = texts.map((text) => ({ type: "text", text }));
  return { id: "m", role: "user", parts } as ChatMessage;
}

test("the texts of a message are its words", () => {
  expect(readChatMessage(say("a", "b"))).toMatchObject({ kind: "words", text: "a\nb" });
});

test.each([[{ toString: 0 }], [["a"]], [7], [true]])(
  "a part whose text is %j is refused",
  (text) => {
    expect(readChatMessage(say("a", text))).toMatchObject({
      kind: "refused",
      refusal: { code: "BODY_REFUSED" },
    });
  },
);
