import { definePrompt, defineTable } from "turnseal";
import { z } from "zod";

const speak = (id) =>
  definePrompt({
    id,
    version: "1.0.0",
    input: z.object({ topic: z.unknown(), said: z.unknown() }),
    output: z.object({ text: z.string() }),
    template: `${id} on {{topic}} after {{said}}`,
    backend: { id: "openai-compatible", model: "small" },
  });
const may = { tools: [], budget: { modelCalls: 1 } };

export const room = defineTable({
  id: "room",
  version: "1.0.0",
  mode: "round-robin",
  rounds: 1,
  participants: {
    writer: { loop: speak("writer"), grant: may },
    critic: { loop: speak("critic"), grant: may },
  },
});
