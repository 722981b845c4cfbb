/** A run that does the worst with its routes is at the bound, and never past it. */
import { createLocalHost } from "@turnseal/host";
import { createRegistry, EMPTY_ANSWERS_MAX, RETRIES_MAX, RETRY_DELAY_MS } from "@turnseal/kernel";
import {
  type Clock,
  createMemorySigner,
  type Model,
  ModelError,
  manualClock,
  memoryStores,
} from "@turnseal/ports";
import {
  type Amounts,
  addAmounts,
  isClaimOf,
  type LoopEvent,
  type ModelErrorCode,
} from "@turnseal/protocol";
import { definePrompt, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { computeBounds } from "./compute-bounds.ts";

const OUTPUT_TOKENS = 50;
const ask = definePrompt({
  ...{ id: "ask", version: "1.0.0", maxTokens: OUTPUT_TOKENS },
  input: jsonSchema<{ readonly word: string }>({ type: "object" }),
  output: jsonSchema<{ readonly text: string }>({ type: "object" }),
  template: "Say {{word}}",
  // Other failures are retried: a route may fail several times before the next one follows. Each
  // failure here counts, since its provider may have processed the request.
  policy: {
    routes: [{ id: "one" }, { id: "two" }, { id: "three" }],
    fallback: ["MODEL_ANSWER_BROKEN"],
  },
});

function computeAsk() {
  const registry = createRegistry();
  const answer = registry.register(ask.definition);
  if (answer.kind === "refused") throw new Error(JSON.stringify(answer.problems));
  return computeBounds(answer.loop, registry);
}

type Said = ModelErrorCode | "nothing" | "yes";

/** A model that says these, one for each request; what it answers costs all that it may. */
function saying(...words: readonly Said[]): Model {
  let asked = 0;
  return {
    defaultModel: "m",
    generate: async () => {
      const word = words[asked++] ?? "yes";
      if (word !== "nothing" && word !== "yes")
        throw new ModelError({ code: word, retry: "retry", message: "no" });
      return {
        content: word === "yes" ? [{ kind: "text", text: "yes" }] : [],
        usage: { inputTokens: 10, outputTokens: OUTPUT_TOKENS },
        finishReason: "stop",
      };
    },
  };
}

const retried = Array<Said>(RETRIES_MAX).fill("MODEL_FAILED");
const emptyRounds = Array.from({ length: EMPTY_ANSWERS_MAX }, (): Said[] => [
  ...retried,
  "nothing",
]);

/** A clock on which a short wait is over at once. */
function hurriedClock(): Clock {
  const clock = manualClock();
  return {
    now: clock.now,
    after: (delayMs, callback) => {
      if (delayMs <= RETRY_DELAY_MS * 2 ** RETRIES_MAX) setImmediate(() => clock.advance(delayMs));
      return clock.after(delayMs, callback);
    },
  };
}

async function runAsk(budget: Amounts) {
  const clock = hurriedClock();
  const host = createLocalHost({
    loops: [ask],
    models: {
      one: saying(...retried, "MODEL_ANSWER_BROKEN"),
      two: saying(...retried, "MODEL_ANSWER_BROKEN"),
      three: saying(...emptyRounds.flat(), ...retried, "yes"),
    },
    ...{ stores: memoryStores(clock), signer: await createMemorySigner(), clock },
  });
  const grant = { grantor: "ada", tools: [], budget };
  const run = await host.start(ask, { word: "hello" }, { grant });
  await host.advance(run);
  const events: LoopEvent[] = [];
  for await (const event of host.events(run)) events.push(event);
  return { events, claims: events.filter((event) => isClaimOf("model", event)) };
}

const { modelCalls, inputTokens, outputTokens } = computeAsk();
const bounds = { modelCalls, inputTokens: Number(inputTokens), outputTokens };

test("a run that fails over as often as it can makes just the requests of the bound", async () => {
  const { events, claims } = await runAsk(bounds);
  expect(events.at(-1)).toMatchObject({
    type: "run.stopped",
    content: { reason: "goal-reached" },
  });
  expect(claims).toHaveLength(modelCalls);
  expect(claims.map(({ content }) => content.backend)).toEqual([
    ...Array(1 + RETRIES_MAX).fill("one"),
    ...Array(1 + RETRIES_MAX).fill("two"),
    ...Array((1 + EMPTY_ANSWERS_MAX) * (1 + RETRIES_MAX)).fill("three"),
  ]);
  // Also where each of them was paid for in full.
  const reserved = claims.map(({ content }) => content.reserve).reduce(addAmounts);
  expect(reserved).toMatchObject({ modelCalls, outputTokens });
  expect(reserved.inputTokens).toBeLessThanOrEqual(bounds.inputTokens);
});

test("with one request less than the bound it does not come to its end", async () => {
  const { events, claims } = await runAsk({ ...bounds, modelCalls: modelCalls - 1 });
  expect(claims).toHaveLength(modelCalls - 1);
  expect(events.find((event) => event.type === "turn.closed")).toMatchObject({
    content: { outcome: "failed" },
  });
});
