/** One call without a runtime: the least that gives the same answer and leaves the same events. */
import { type Model, randomIds, systemClock } from "@turnseal/ports";
import { type Digest, type LoopDef, renderTemplate } from "@turnseal/protocol";
import type { CallEvent } from "@turnseal/protocol/trace";
import { Ajv2020 } from "ajv/dist/2020.js";

export interface FloorOptions {
  readonly loop: LoopDef;
  readonly digest: Digest;
  readonly input: Readonly<Record<string, string | number>>;
  readonly act: { readonly tool: (input: unknown) => unknown; readonly model: Model };
}

/** A function that calls the loop once and answers with its output and its events. */
export function createFloor({ loop, digest, input, act }: FloorOptions): () => Promise<unknown> {
  const ajv = new Ajv2020();
  const validateInput = ajv.compile(loop.inputSchema as object);
  const validateOutput = ajv.compile(loop.outputSchema as object);
  const { id, version } = loop;
  const execute = loop.kind === "tool" ? executeTool : executePrompt;
  return async () => {
    const call = randomIds.create("");
    const events: CallEvent[] = [];
    const startedMs = systemClock.now();
    events.push({
      type: "call.started",
      at: nowAt(),
      call,
      content: { loop: id, version, digest },
    });
    const inputMs = systemClock.now();
    if (!validateInput(input)) throw new Error("the input is invalid");
    events.push({
      type: "call.input.validated",
      at: nowAt(),
      call,
      content: { durationMs: systemClock.now() - inputMs },
    });
    const output = await execute({ loop, input, act, call, events });
    const outputMs = systemClock.now();
    if (!validateOutput(output)) throw new Error("the output is invalid");
    events.push({
      type: "call.output.validated",
      at: nowAt(),
      call,
      content: { durationMs: systemClock.now() - outputMs },
    });
    const durationMs = systemClock.now() - startedMs;
    events.push({ type: "call.completed", at: nowAt(), call, content: { durationMs } });
    return { output, events };
  };
}

interface Execution extends Omit<FloorOptions, "digest"> {
  readonly call: string;
  readonly events: CallEvent[];
}

async function executeTool({ loop, input, act, call, events }: Execution): Promise<unknown> {
  const startedMs = systemClock.now();
  const deadlineAt = new Date(startedMs + 30_000).toISOString();
  const tool = loop.tool?.implementation ?? "";
  events.push({
    type: "action.claimed",
    at: nowAt(),
    call,
    content: { action: "tool", tool, deadlineAt },
  });
  const output = await act.tool(input);
  const durationMs = systemClock.now() - startedMs;
  events.push({
    type: "action.settled",
    at: nowAt(),
    call,
    content: { action: "tool", status: "ok", durationMs },
  });
  return output;
}

async function executePrompt({ loop, input, act, call, events }: Execution): Promise<unknown> {
  const text = renderTemplate(loop.prompt?.template ?? "", input);
  const { defaultModel: model } = act.model;
  const startedMs = systemClock.now();
  const deadlineAt = new Date(startedMs + 120_000).toISOString();
  const promptLength = text.length;
  events.push({
    type: "action.claimed",
    at: nowAt(),
    call,
    content: { action: "model", backend: "instant", model, promptLength, deadlineAt },
  });
  const result = await act.model.generate({
    model,
    messages: [{ role: "user", text }],
    outputSchema: loop.outputSchema,
    signal: neverAborted,
  });
  const durationMs = systemClock.now() - startedMs;
  events.push({
    type: "action.settled",
    at: nowAt(),
    call,
    content: { action: "model", status: "ok", durationMs, ...result.usage },
  });
  const [part] = result.content;
  return JSON.parse(part?.kind === "text" ? part.text : "");
}

const neverAborted = new AbortController().signal;

let lastMs = 0;
let lastAt = "";

// Writing out a time costs more than the rest of an event, and many events share one.
function nowAt(): string {
  const nowMs = systemClock.now();
  if (nowMs !== lastMs) {
    lastMs = nowMs;
    lastAt = new Date(nowMs).toISOString();
  }
  return lastAt;
}
