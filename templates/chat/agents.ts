import { loadPolicy } from "turnseal";
import { assistant } from "./loops/assistant.ts";

/** The agents that a browser can start. It sends a name and words, and nothing else. */
export const agents = {
  assistant: {
    loop: assistant,
    // A conversation ends when its budget is spent. It has no other end.
    grant: {
      grantor: "you",
      tools: ["local.find-table", "local.book"],
      budget: { modelCalls: 200 },
    },
    policy: await loadPolicy("policy.toml"),
    bounds: { awaits: ["message"], nextInput: { text: "$.signals.message.text" } },
  },
};
