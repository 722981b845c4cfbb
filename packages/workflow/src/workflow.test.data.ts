/** Compiles texts for tests, with a few tools that are registered. */

import { parseTomlText } from "@turnseal/documents";
import type { JsonSchema, LoopDef } from "@turnseal/protocol";
import { checkTables } from "./check-tables.ts";
import { compileWorkflow } from "./compile-workflow.ts";
import type { WorkflowDocument } from "./workflow-document.ts";

const HEALTH: JsonSchema = {
  type: "object",
  properties: { errors: { type: "array" } },
  required: ["errors"],
};
const TOOLS: Readonly<Record<string, JsonSchema>> = {
  view: { type: "string" },
  analyze: HEALTH,
  edit: true,
  "find-issues": { type: "array", items: { type: "string" } },
  list: { type: "object", properties: { items: { type: "array" } } },
  file_exists: { type: "boolean" },
  constructor: true,
  approve: { type: "object", properties: { holds: { type: "boolean" } } },
};

function findLoop(id: string): LoopDef | undefined {
  const outputSchema = Object.hasOwn(TOOLS, id) ? TOOLS[id] : undefined;
  if (outputSchema === undefined) return undefined;
  const tool = { implementation: `local.${id}` };
  return { id, name: id, version: "1.0.0", kind: "tool", inputSchema: true, outputSchema, tool };
}

function compile(text: string) {
  const parsed = parseTomlText(text);
  if (parsed.kind === "refused") throw new Error(parsed.problem.message);
  const place = (path: string): string => {
    const { line, column } = parsed.locate(path);
    return `${line}:${column}`;
  };
  const slips = checkTables(parsed.value);
  if (slips.length > 0) throw new Error(JSON.stringify(slips));
  const compiled = compileWorkflow(parsed.value as WorkflowDocument, {
    name: "unnamed",
    findLoop,
    loopIds: Object.keys(TOOLS),
    openNested: (file) =>
      file === "inner.toml"
        ? { id: "inner", version: "1.0.0", inputs: ["file"], isAgent: false }
        : undefined,
    readText: () => "from a file",
  });
  return { compiled, place };
}

export function loopsOf(text: string): readonly LoopDef[] {
  const { compiled } = compile(text);
  if (compiled.kind === "refused") throw new Error(JSON.stringify(compiled.problems));
  return compiled.loops;
}

export function flowOf(text: string): unknown {
  return loopsOf(text)[0]?.composite?.flow;
}

export function problemsOf(text: string): string[] {
  const { compiled, place } = compile(text);
  if (compiled.kind === "compiled") return [];
  return compiled.problems.map(
    ({ rule, path, message, mend }) => `${place(path)} ${rule}: ${message}; ${mend}`,
  );
}
