// Previews of outputs that no action has stored, and their state after a crash.
import type { Model, ModelRequest } from "@turnseal/ports";
import { isClaimOf, isSettledOf, type JsonValue } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import {
  compositeLoop,
  openWorld,
  promptLoop,
  step,
  toolLoop,
} from "../call/sample-world.test.data.ts";
import { OUTPUT_PREVIEW_BYTES_MAX } from "../limits.ts";
import { openRun, RUN } from "../turn/sample-run.test.data.ts";

const half = "é".repeat(OUTPUT_PREVIEW_BYTES_MAX / 4 + 1);

// Its output is made of the outputs of its steps, and is in no event.
const both = compositeLoop("both", [step("half", {}, "one"), step("half", {}, "two")]);
const output = { implementation: "turnseal.output" };
const loops = [
  promptLoop("ask", {
    prompt: {
      template: "Go",
      variables: [],
      tools: [{ loopId: "both" }, { loopId: "output" }],
      maxRounds: 4,
    },
  }),
  {
    ...both,
    composite: {
      ...both.composite,
      outputMapping: { one: "$.steps[0].output", two: "$.steps[1].output" },
    },
  },
  toolLoop("half"),
  toolLoop("output", { tool: output }),
];

interface Told {
  readonly requests: ModelRequest[];
  readonly model: Model;
}

/** Asks for both halves, reads on at the end of the whole, and answers. */
function asking(): Told {
  const requests: ModelRequest[] = [];
  const call = (toolName: string, input: JsonValue) => ({
    content: [
      { kind: "tool-call" as const, toolCallId: "call", toolName, input: JSON.stringify(input) },
    ],
    finishReason: "tool-calls" as const,
    usage: { inputTokens: 1, outputTokens: 1 },
  });
  const model: Model = {
    defaultModel: "sample",
    generate: async (request) => {
      requests.push(request);
      const told = toldIn(request);
      if (told.length === 0) return call("loop__both", {});
      const { handle, bytes } = told[0] as { handle: string; bytes: number };
      if (told.length === 1 && handle !== undefined)
        return call("turnseal__output", { handle, from: bytes - 4 });
      return { ...call("", null), content: [{ kind: "text", text: "{}" }], finishReason: "stop" };
    },
  };
  return { requests, model };
}

function toldIn(request: ModelRequest | undefined): JsonValue[] {
  return (request?.messages ?? []).flatMap((message) =>
    message.role === "tool" ? [message.result] : [],
  );
}

const tools = { "local.half": { run: () => half, effect: "read", build: "test" } } as const;
const grant = { tools: ["local.half", "turnseal.output"] };

describe("an output that no action has stored", () => {
  test("is stored with the request that names its handle, and can be read", async () => {
    const { requests, model } = asking();
    const run = openRun({ loops, tools, model, grant });
    expect(await run.turn()).toMatchObject({ kind: "closed", outcome: "completed" });
    const [shown, range] = toldIn(requests.at(-1));
    expect(shown).toMatchObject({ truncated: true });
    expect(range).toEqual({
      text: 'é"}',
      from: expect.any(Number),
      bytes: expect.any(Number),
    });
    const { handle } = shown as { handle: `hmac-sha256:${string}` };
    expect(await run.stores.blobs.read(RUN, handle)).toBeDefined();
  });

  test("is there after a crash before that request was recorded", async () => {
    const { requests, model } = asking();
    let models = 0;
    const run = openRun({
      ...{ loops, tools, model, grant },
      beforeAppend: ({ events }) => {
        const claims = events.filter(
          ({ type, content }) => type === "action.claimed" && content.action === "model",
        );
        models += claims.length;
        if (claims.length > 0 && models === 2) throw new Error("the power is out");
      },
    });
    await expect(run.turn()).rejects.toThrow("the power is out");
    expect(await run.turn()).toMatchObject({ kind: "closed", outcome: "completed" });
    const [shown, range] = toldIn(requests.at(-1));
    const { handle } = shown as { handle: `hmac-sha256:${string}` };
    expect(range).toMatchObject({ text: 'é"}' });
    expect(await run.stores.blobs.read(RUN, handle)).toBeDefined();
  });

  test("has the same handle when the turn is resumed after it was read", async () => {
    const { requests, model } = asking();
    let claims = 0;
    const run = openRun({
      ...{ loops, tools, model, grant },
      beforeAppend: ({ events }) => {
        claims += events.filter(
          (event) => isClaimOf("model", event) || isSettledOf("model", event),
        ).length;
        if (claims >= 5) {
          claims = Number.NEGATIVE_INFINITY;
          throw new Error("the power is out");
        }
      },
    });
    await expect(run.turn()).rejects.toThrow("the power is out");
    const before = toldIn(requests.at(-1))[0];
    expect(await run.turn()).toMatchObject({ kind: "closed", outcome: "completed" });
    expect(toldIn(requests.at(-1))[0]).toEqual(before);
  });
});

test("outside a run nothing is kept, so that a model is shown all of it", async () => {
  const { requests, model } = asking();
  const world = openWorld({ loops, tools: { half: () => half }, models: { sample: model } });
  const { result } = await world.call("ask");
  expect(result.status).toBe("ok");
  expect(toldIn(requests.at(-1))).toEqual([{ one: half, two: half }]);
});
