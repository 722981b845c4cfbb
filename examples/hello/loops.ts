import { definePrompt } from "turnseal";
import { z } from "zod";

export const hello = definePrompt({
  id: "hello",
  version: "1.0.0",
  input: z.object({ name: z.string() }),
  output: z.object({ text: z.string() }),
  template: "Say hello to {{name}} in one sentence.",
});
