/** The agent of the chat example: its prompt is edited at each start, and its model can be away. */
import { existsSync } from "node:fs";
import { definePrompt, type Model, ModelError } from "turnseal";
import { z } from "zod";
import { agents as all, lookup, models as present, refund } from "../../examples/chat/loops.ts";

export { lookup, refund };

const { CHAT_EDITION = "1", CHAT_AWAY_FILE = "" } = process.env;

export const support = definePrompt({
  ...{ id: "support", version: "1.0.0", backend: { id: "clerk" }, tools: [lookup, refund] },
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  system: `You help customers of a shop. This is edition ${CHAT_EDITION} of your instructions.`,
  template: "{{text}}",
});

const clerk: Model = {
  defaultModel: "clerk-1",
  generate: async (request) => {
    if (existsSync(CHAT_AWAY_FILE))
      throw new ModelError({ code: "MODEL_UNREACHABLE", retry: "retry", message: "away" });
    return present.clerk.generate(request);
  },
};

export const models = { clerk };

const bounds = { awaits: ["message"], nextInput: { text: "$.signals.message.text" } };
export const agents = { support: { ...all.support, loop: support, bounds } };
