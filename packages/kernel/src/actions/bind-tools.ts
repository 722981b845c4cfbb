import { echoTool, type Tool, type ToolBinding } from "@turnseal/ports";
import type { Loop } from "@turnseal/protocol";
import { buildOf } from "@turnseal/protocol/tools";

/**
 * Functions by the name in `tool.implementation`: bare, or with what they declare about their
 * effect.
 */
export type ToolBindings = Readonly<
  Record<string, Tool | (Partial<ToolBinding> & Pick<ToolBinding, "run">)>
>;

/**
 * Fills in what a binding leaves out. A tool that declares nothing is taken for one that must not
 * act twice.
 */
export function bindTools(bindings: ToolBindings): ReadonlyMap<string, ToolBinding> {
  const bound = new Map<string, ToolBinding>([
    ["builtin:echo", fill({ run: echoTool, effect: "read" })],
  ]);
  for (const [name, binding] of Object.entries(bindings)) {
    bound.set(name, fill(typeof binding === "function" ? { run: binding } : binding));
  }
  return bound;
}

/** The functions of authored tools, with what they declare. */
export function bindLoops(loops: readonly Loop<never, unknown>[]): ToolBindings {
  const bindings: Record<string, ToolBindings[string]> = {};
  for (const { definition, run, declared, needs, gate } of loops) {
    if (definition.tool === undefined || run === undefined) continue;
    // The input is validated by the schema from which the function's parameter was inferred.
    bindings[definition.tool.implementation] = {
      ...declared,
      run: run as Tool,
      ...(needs === undefined ? {} : { needs: needs as NonNullable<ToolBinding["needs"]> }),
      ...(gate === undefined ? {} : { gate: gate as NonNullable<ToolBinding["gate"]> }),
    };
  }
  return bindings;
}

function fill(binding: Partial<ToolBinding> & Pick<ToolBinding, "run">): ToolBinding {
  return { effect: "once", build: buildOf(binding.run), ...binding };
}
