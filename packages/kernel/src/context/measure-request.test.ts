import type { ModelMessage } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { measureMessages, measureRequest } from "./measure-request.ts";

const user: ModelMessage = { role: "user", text: "Grüße, 世界" };
const answer: ModelMessage = { role: "assistant", content: [{ kind: "text", text: "ok" }] };
const tools = [{ name: "dig", inputSchema: { type: "object" } }];

test("a request is as long as its JSON in UTF-8, whatever was measured before", () => {
  for (const messages of [[], [user], [user, answer], [user, answer, user]]) {
    for (const request of [{ messages }, { messages, tools, maxOutputTokens: 5 }]) {
      const { messages: sent, ...settings } = request;
      const bytes = measureRequest(settings, measureMessages(sent));
      expect(bytes).toBe(Buffer.byteLength(JSON.stringify(request)));
    }
  }
});
