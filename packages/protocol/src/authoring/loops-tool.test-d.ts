/**
 * Uses that must compile, and uses that must not. `tsc -b` is the test: an expected error that is
 * missing is itself an error.
 */
import { generateText, type LanguageModel, type Tool, type ToolSet } from "ai";
import { type } from "arktype";
import { z } from "zod";
import { type LoopsTool, type LoopsToolSet, loopsTool } from "./index.ts";
import type { Loop } from "./loop.ts";

type Equal<Left, Right> =
  (<Probe>() => Probe extends Left ? 1 : 2) extends <Probe>() => Probe extends Right ? 1 : 2
    ? true
    : false;
const holds = <Claim extends true>(claim: Claim): Claim => claim;
declare const model: LanguageModel;

const header = { name: "read", description: "Reads", readOnly: true } as const;
export const read = loopsTool({
  ...header,
  inputSchema: z.object({ path: z.string(), lines: z.number().default(10) }),
  execute: async ({ path, lines }) => {
    holds<Equal<typeof lines, number>>(true);
    return { text: path.repeat(lines) };
  },
});
export const find = loopsTool({
  ...header,
  inputSchema: type({ text: "string" }),
  execute: ({ text }, { secrets, abortSignal }) => [text, secrets["KEY"], abortSignal?.aborted],
});

// The input is the schema's input side; the output is inferred from the function.
type Wire = { path: string; lines?: number | undefined };
holds<Equal<typeof read, LoopsTool<Wire, { text: string }>>>(true);
const loop: Loop<Wire, { text: string }> = read.toLoop();
// @ts-expect-error The loop takes what the tool takes.
const wrong: Loop<{ other: string }, { text: string }> = read.toLoop();

// Tools of every kind are in one set, and each fits the AI SDK.
const set: LoopsToolSet = { read, find };
const made: Tool = read.makeTool();
const tools: ToolSet = { read: read.makeTool(), find: find.makeTool() };
const loops: readonly Loop<never, unknown>[] = [read.toLoop(), find.toLoop(), loop, wrong];
export const others = [set, made, tools, loops];

export async function infersInputAndOutput() {
  const { toolCalls, toolResults } = await generateText({
    model,
    prompt: "",
    tools: { read: read.makeTool() },
  });
  for (const call of toolCalls) if (!call.dynamic) holds<Equal<typeof call.input, Wire>>(true);
  for (const result of toolResults)
    if (!result.dynamic) holds<Equal<typeof result.output, { text: string }>>(true);
}

// @ts-expect-error A policy is one of three.
read.withApproval("allow", "mode");
// @ts-expect-error A mode has a name.
read.withApproval("ask");
// @ts-expect-error A tool says whether it only reads.
loopsTool({ name: "x", description: "", inputSchema: z.object({}), execute: () => null });
loopsTool({
  ...header,
  inputSchema: z.object({ path: z.string() }),
  // @ts-expect-error Only what the schema gives is there.
  execute: ({ file }) => file,
});
loopsTool({
  ...header,
  inputSchema: z.object({ path: z.string() }),
  // @ts-expect-error Whether somebody is asked is decided at once.
  requestApproval: async () => null,
  execute: () => null,
});
