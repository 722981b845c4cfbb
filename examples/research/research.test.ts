import { createRuntime } from "turnseal";
import { expect, test } from "vitest";
import { models, research } from "./loops.ts";
import { asked } from "./researcher.ts";

test("each claim names a page that was found, and what failed is said", async () => {
  const runtime = createRuntime({ loops: [research], models });
  const result = await runtime.call(research, { topic: "tides" });
  expect(result).toMatchObject({
    status: "ok",
    output: {
      sources: ["https://example.org/tides", "https://example.org/sun"],
      open: ["What do mermaids say?"],
    },
  });
  // The plan and two of three questions: nothing was found for the last, so no model was asked.
  expect(asked).toHaveLength(3);
});
