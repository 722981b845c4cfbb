/** The cost of a failed request to a model. */

import { ModelError, type ModelResult } from "@turnseal/ports";
import { MODEL_ERROR_CODES } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { promptLoop } from "../call/sample-world.test.data.ts";
import { openRun } from "../turn/sample-run.test.data.ts";

const prices = {
  asOf: "2026-01-01",
  models: { "sample/m": { inputMicrosPerMillion: 1_000_000, outputMicrosPerMillion: 1_000_000 } },
};

/** The settled and the reserved amounts of the request. */
async function settleOf(generate: () => unknown): Promise<{ spent: unknown; reserve: unknown }> {
  const run = openRun({
    loops: [promptLoop("ask")],
    // A model is foreign code: it can answer with anything.
    model: { defaultModel: "m", generate: async () => generate() as ModelResult },
    prices,
  });
  await run.turn();
  const [settled] = await run.contents("action.settled");
  expect(settled).toMatchObject({ status: "failed" });
  return { spent: settled?.spent, reserve: settled?.reserve };
}

// As the table of spec/run.md §5.4 has them.
const free: readonly string[] = [
  ...["MODEL_NOT_FOUND", "MODEL_NOT_INSTALLED", "MODEL_RATE_LIMITED", "MODEL_REFUSED"],
  ...["MODEL_UNAUTHORIZED", "MODEL_UNAVAILABLE", "MODEL_UNREACHABLE"],
];

test.each(MODEL_ERROR_CODES)("%s costs what may have been processed", async (code) => {
  const { spent, reserve } = await settleOf(() => {
    throw new ModelError({ code, retry: "never", message: "no" });
  });
  expect(spent).toEqual(free.includes(code) ? {} : reserve);
  expect(reserve).toHaveProperty("moneyMicros");
});

const answer = (usage: object, text = "hi"): object => ({
  content: [{ kind: "text", text }],
  finishReason: "stop",
  usage,
});

test.each<[string, () => unknown]>([
  ["a negative usage", () => answer({ inputTokens: -5, outputTokens: 1 })],
  ["a usage in fractions", () => answer({ inputTokens: 2.5, outputTokens: 1 })],
  ["too large an answer", () => answer({ inputTokens: 1, outputTokens: 1 }, "y".repeat(9e6))],
  ["no answer", () => undefined],
  [
    "an error of somebody else's",
    () => {
      throw new Error("fetch failed");
    },
  ],
])("%s costs all that was reserved", async (_, generate) => {
  const { spent, reserve } = await settleOf(generate);
  expect(spent).toEqual(reserve);
});
