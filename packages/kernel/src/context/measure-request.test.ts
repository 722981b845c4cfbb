import type { ModelMessage } from "@turnseal/ports";
import { expect, test } from "vitest";
import { measureRequest } from "./measure-request.ts";

const user: ModelMessage = { role: "user", text: "Grüße, 世界" };
const answer: ModelMessage = { role: "assistant", content: [{ kind: "text", text: "ok" }] };
const tools = [{ name: "dig", inputSchema: { type: "object" } }];

test("a request is as long as its JSON in UTF-8, whatever was measured before", () => {
  for (const messages of [[], [user], [user, answer], [user, answer, user]]) {
    for (const request of [{ messages }, { messages, tools, maxOutputTokens: 5 }]) {
      expect(measureRequest(request)).toBe(Buffer.byteLength(JSON.stringify(request)));
    }
  }
});
