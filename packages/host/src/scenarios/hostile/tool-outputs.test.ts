// The output that tools show while they run, and the part of a large output that a model sees,
// through a real host.
import {
  OUTPUT_PREVIEW_BYTES_MAX,
  OUTPUT_RANGE_BYTES_MAX,
  TOOL_OUTPUT_LENGTH_MAX,
} from "@turnseal/kernel";
import { isClaimOf, isSettledOf, type JsonValue } from "@turnseal/protocol";
import {
  defineTool,
  jsonSchema,
  loopsTool,
  outputReader,
  ToolError,
} from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openToolDesk } from "../__fixtures__/tool-desk.ts";

const sound = { findings: [], replayed: ["identical"] };

function speaker(pieces: readonly string[], secrets: readonly string[] = [], isFailing = false) {
  return loopsTool({
    ...{ name: "speak", description: "", readOnly: true, secrets, inputSchema: z.object({}) },
    execute: (_, { onToolOutputDelta }) => {
      for (const piece of pieces) onToolOutputDelta(piece);
      if (isFailing) throw new Error("no more");
      return "said";
    },
  }).toLoop();
}

const rounds = [[["local.speak", {}]]] as const;

describe("what a tool shows", () => {
  test("is seen as it comes, and kept exactly so", async () => {
    const desk = await openToolDesk({ tools: [speaker(["one ", "two ", "💡"])], rounds });
    expect(await desk.drive()).toBe("goal-reached");
    const settled = (await desk.events()).find((event) => isSettledOf("tool", event));
    const seen = desk.seen.filter(({ kind }) => kind === "tool-output");
    expect(seen.map(({ text }) => text)).toEqual(["one ", "two ", "💡"]);
    expect(seen.map(({ offset }) => offset)).toEqual([0, 4, 8]);
    expect(new Set(seen.map(({ key }) => key))).toEqual(new Set([settled?.content.key]));
    expect(seen[0]).toMatchObject({ run: desk.run, turn: 1, part: 0, epoch: settled?.epoch });
    expect(await desk.read(settled?.content.output)).toBe("one two 💡");
    expect(settled?.content.outputCut).toBeUndefined();
    expect(await desk.prove()).toEqual(sound);
  });

  test("holds no secret, however it was split", async () => {
    const key = "sk-live-0123456789";
    const pieces = ["key: ", ...key, " and ", key.slice(0, 9), key.slice(9), "."];
    const tools = [speaker(pieces, ["PAY_KEY"])];
    const desk = await openToolDesk({ tools, rounds, secrets: { PAY_KEY: key } });
    await desk.drive();
    const seen = desk.seen.map(({ text }) => text).join("");
    expect(seen).toBe("key: [redacted] and [redacted].");
    const settled = await desk.contents("action.settled");
    const output = settled.find((content) => content.output !== undefined)?.output;
    expect(await desk.read(output)).toBe(seen);
  });

  test("is kept of a tool that fails, too", async () => {
    const desk = await openToolDesk({ tools: [speaker(["half"], [], true)], rounds });
    await desk.drive();
    const settled = await desk.contents("action.settled");
    const failed = settled.find(({ status }) => status === "failed");
    expect(await desk.read(failed?.output)).toBe("half");
    expect(await desk.prove()).toEqual(sound);
  });

  test("is that of the latest attempt, and of no other", async () => {
    let attempts = 0;
    const tool = loopsTool({
      ...{ name: "speak", description: "", readOnly: true, inputSchema: z.object({}) },
      execute: (_, { onToolOutputDelta }) => {
        attempts += 1;
        if (attempts > 1) return "said";
        onToolOutputDelta("first");
        throw new ToolError("TOOL_UNAVAILABLE", "not yet");
      },
    });
    const desk = await openToolDesk({ tools: [tool.toLoop()], rounds });
    const driven = desk.drive();
    while (attempts < 2) {
      desk.clock.advance(1_000);
      await new Promise((resume) => setImmediate(resume));
    }
    expect(await driven).toBe("goal-reached");
    const settled = (await desk.events()).filter((event) => isSettledOf("tool", event));
    expect(settled.map(({ content }) => "output" in content)).toEqual([true, false]);
  });

  test("is cut at its limit for those who watch and for those who read", async () => {
    const half = "a".repeat(TOOL_OUTPUT_LENGTH_MAX / 2);
    const desk = await openToolDesk({ tools: [speaker([half, half, "b", "c"])], rounds });
    await desk.drive();
    const settled = await desk.contents("action.settled");
    const shown = settled.find(({ output }) => output !== undefined);
    expect(await desk.read(shown?.output)).toBe(half + half);
    expect(desk.seen.map(({ text }) => text).join("")).toBe(half + half);
    expect(shown?.outputCut).toBe(true);
  });

  test("is nothing where a tool is silent", async () => {
    const desk = await openToolDesk({ tools: [speaker([])], rounds });
    await desk.drive();
    expect(JSON.stringify(await desk.contents("action.settled"))).not.toContain('"output"');
    expect(desk.seen).toEqual([]);
  });
});

function reader(output: JsonValue) {
  return defineTool({
    ...{ id: "fetch", version: "1.0.0", effect: "read", build: "test" },
    input: jsonSchema<JsonValue>(true),
    output: jsonSchema<JsonValue>(true),
    run: () => output,
  });
}

interface Preview {
  readonly preview: string;
  readonly handle: string;
  readonly bytes: number;
}

describe("a large output", () => {
  const text = Array.from({ length: 4_000 }, (_, line) => `line ${line} é💡`).join("\n");
  const bytes = Buffer.byteLength(text);
  const fetched = [["local.fetch", {}]] as const;

  test("is shown in part, and read to its end by its handle", async () => {
    const parts: string[] = [];
    const readOn = (told: readonly JsonValue[]): [string, JsonValue][] => {
      const { handle, preview } = told[0] as unknown as Preview;
      const last = told.at(-1) as { text?: string; next?: number };
      if (told.length === 1) parts.push(preview);
      else parts.push(last.text ?? "");
      const from = told.length === 1 ? Buffer.byteLength(preview) : last.next;
      return from === undefined ? [] : [["turnseal.output", { handle, from }]];
    };
    const more = Array.from({ length: 6 }, () => readOn);
    const tools = [reader(text), outputReader];
    const desk = await openToolDesk({ tools, rounds: [fetched, ...more] });
    expect(await desk.drive()).toBe("goal-reached");
    expect(parts.join("")).toBe(text);
    expect(desk.told[0]).toMatchObject({ bytes, truncated: true });
    const { preview, handle } = desk.told[0] as unknown as Preview;
    expect(Buffer.byteLength(preview)).toBeLessThanOrEqual(OUTPUT_PREVIEW_BYTES_MAX);
    const settled = await desk.contents("action.settled");
    const result = settled.find(({ action }) => action === "tool")?.result;
    expect(result).toMatchObject({ digest: handle });
    const claims = await desk.contents("action.claimed");
    const named = claims.flatMap(({ outputs }) => outputs ?? []);
    expect(named).toEqual([result]);
    expect(await desk.prove()).toEqual(sound);
  });

  test("what the model saw is what is recorded as its context", async () => {
    const desk = await openToolDesk({ tools: [reader(text)], rounds: [fetched] });
    await desk.drive();
    const claims = (await desk.events()).filter((event) => isClaimOf("model", event));
    expect(await desk.read(claims[1]?.content.context.added.at(-1))).toEqual(desk.told[0]);
  });

  test.each<[string, JsonValue, boolean]>([
    ["a text at the limit", "a".repeat(OUTPUT_PREVIEW_BYTES_MAX), false],
    ["one past it", "a".repeat(OUTPUT_PREVIEW_BYTES_MAX + 1), true],
    ["JSON at the limit", ["a".repeat(OUTPUT_PREVIEW_BYTES_MAX - 4)], false],
    ["JSON past it", ["a".repeat(OUTPUT_PREVIEW_BYTES_MAX - 3)], true],
  ])("%s", async (_, output, isCut) => {
    const desk = await openToolDesk({ tools: [reader(output)], rounds: [fetched] });
    await desk.drive();
    if (isCut) expect(desk.told[0]).toMatchObject({ truncated: true });
    else expect(desk.told).toEqual([output]);
  });

  test("a range has at most OUTPUT_RANGE_BYTES_MAX bytes, whatever is asked for", async () => {
    const ask = (fields: object) => (told: readonly JsonValue[]) =>
      [["turnseal.output", { handle: (told[0] as unknown as Preview).handle, ...fields }]] as [
        string,
        JsonValue,
      ][];
    const desk = await openToolDesk({
      tools: [reader("a".repeat(3 * OUTPUT_RANGE_BYTES_MAX)), outputReader],
      rounds: [
        fetched,
        ask({ bytes: OUTPUT_RANGE_BYTES_MAX }),
        ask({ bytes: OUTPUT_RANGE_BYTES_MAX + 1, from: 1 }),
        ask({ from: 10 * OUTPUT_RANGE_BYTES_MAX }),
      ],
    });
    await desk.drive();
    const lengths = desk.told.slice(1).map((part) => (part as { text: string }).text.length);
    expect(lengths).toEqual([OUTPUT_RANGE_BYTES_MAX, OUTPUT_RANGE_BYTES_MAX, 0]);
    expect(desk.told[3]).not.toHaveProperty("next");
  });

  test.each<[string, string]>([
    ["a handle that nobody has given", `hmac-sha256:${"0".repeat(64)}`],
    ["a file", "../../etc/passwd"],
  ])("%s is none", async (_, handle) => {
    const tools = [reader(text), outputReader];
    const read = [["turnseal.output", { handle }]] as const;
    const desk = await openToolDesk({ tools, rounds: [fetched, read] });
    await desk.drive();
    expect(desk.told.at(-1)).toMatchObject({ error: "TOOL_FAILED" });
    expect(await desk.prove()).toEqual(sound);
  });

  test("other content of the run has no handle, also for whoever knows its digest", async () => {
    const desk = await openToolDesk({
      tools: [reader("small"), outputReader],
      rounds: [fetched, () => [["turnseal.output", { handle: digest }]]],
    });
    const [started] = await desk.contents("run.started");
    const digest = started?.input.digest ?? "";
    await desk.drive();
    expect(desk.told.at(-1)).toMatchObject({ error: "TOOL_FAILED" });
  });

  test("is not read without a grant for it", async () => {
    const desk = await openToolDesk({
      tools: [reader(text), outputReader],
      rounds: [
        fetched,
        (told) => [["turnseal.output", { handle: (told[0] as unknown as Preview).handle }]],
      ],
      grant: { tools: ["local.fetch"] },
    });
    await desk.drive();
    expect(desk.told.at(-1)).toMatchObject({ error: "POLICY_DENIED" });
  });
});
