/** Runs workflow texts for tests, with tools that note what they are sent. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bindLoops, createExecutor, createRegistry } from "@turnseal/kernel";
import { type Model, manualClock, memorySecrets, seededIds } from "@turnseal/ports";
import type { JsonObject, JsonSchema, LoopResult } from "@turnseal/protocol";
import { type Loop, withUsed } from "@turnseal/protocol/authoring";
import { loadWorkflow } from "./load-workflow.ts";

export interface Sent {
  readonly target?: string;
  readonly args: readonly string[];
}

/** A tool of the test: its effect on an action, and its output schema. */
export interface TestTool {
  readonly run: (sent: Sent) => unknown;
  readonly output?: JsonSchema;
}

export interface TestedWorkflow {
  readonly result: LoopResult<unknown>;
  /** Each action in the order in which it was carried out: `view a.py --all`. */
  readonly actions: readonly string[];
}

interface TestRequest {
  readonly input?: JsonObject;
  readonly tools: Readonly<Record<string, TestTool>>;
  readonly model?: Model;
  /** Files beside it. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** Writes the text to a file of its own, loads it and calls it. */
export async function runWorkflow(
  text: string,
  { input = {}, tools, model, beside = {} }: TestRequest,
): Promise<TestedWorkflow> {
  const actions: string[] = [];
  const loops = Object.entries(tools).map(([id, tool]) => toLoop(id, tool, actions));
  const folder = mkdtempSync(join(tmpdir(), "turnseal-run-workflow-"));
  try {
    for (const [name, content] of Object.entries({ ...beside, "w.toml": text }))
      writeFileSync(join(folder, name), content);
    const loading = await loadWorkflow(join(folder, "w.toml"), loops);
    if (loading.kind === "refused") throw new Error(JSON.stringify(loading.problems));
    return { result: await call(loading.loop, input, model), actions };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function toLoop(id: string, { run, output = true }: TestTool, actions: string[]): Loop {
  return {
    definition: {
      ...{ id, name: id, version: "1.0.0", kind: "tool", outputSchema: output },
      inputSchema: { type: "object", required: ["args"] },
      tool: { implementation: `local.${id}` },
    },
    declared: { effect: "idempotent" },
    run: (sent: Sent) => {
      actions.push([id, sent.target, ...sent.args].filter((word) => word !== undefined).join(" "));
      return run(sent);
    },
  };
}

async function call(
  loop: Loop<JsonObject>,
  input: JsonObject,
  model: Model | undefined,
): Promise<LoopResult<unknown>> {
  const loops = withUsed([loop]);
  const registry = createRegistry();
  for (const { definition } of loops) {
    const answer = registry.register(definition);
    if (answer.kind === "refused") throw new Error(JSON.stringify(answer.problems));
  }
  const bound = bindLoops(loops);
  if (bound.kind === "refused") throw new Error("two tools of one name");
  const models = model === undefined ? {} : { script: model, scripted: model };
  const parts = { clock: manualClock(), ids: seededIds("workflow"), secrets: memorySecrets() };
  const executor = createExecutor({ registry, models, tools: bound.tools, ...parts });
  return executor.call(loop.definition.id, input);
}
