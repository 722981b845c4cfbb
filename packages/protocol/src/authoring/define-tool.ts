import { decideGate, type GateAnswer } from "../approval/tool-gate.ts";
import type { JsonObject } from "../canonical-json.ts";
import type { Needs } from "../grant/needs.ts";
import { AuthoringError } from "./authoring-error.ts";
import {
  type Compensation,
  compensationLoop,
  declareCompensation,
  restoringLoop,
} from "./compensate.ts";
import { refinementsOf, type SchemaSource, toJsonSchema } from "./json-schema-source.ts";
import { type DeclaredEffect, headerFields, type Loop, type LoopHeader } from "./loop.ts";
import type { ToolFunction } from "./tool-function.ts";

export interface ToolInput<Input, Output>
  extends LoopHeader,
    Omit<DeclaredEffect, "compensation" | "takesBack" | "restores"> {
  readonly input: SchemaSource<Input>;
  readonly output: SchemaSource<Output>;
  /** The function name in the document. By default `local.<id>`. */
  readonly implementation?: string;
  readonly config?: JsonObject;
  readonly run: ToolFunction<Input, Output>;
  /**
   * Its needs of the grant for an input: scopes, terms, and amounts in units of one's own. MUST be
   * pure.
   */
  readonly needs?: (input: Input) => Needs;
  /**
   * The question to a person before each call, as a text or of the input; null needs no person.
   * MUST be pure.
   */
  readonly asks?: string | ((input: Input) => string | null);
  /**
   * The tool's own decision before it is executed with an input, in place of `asks`. MUST be pure.
   */
  readonly gate?: (input: Input) => GateAnswer;
  /**
   * The compensation of its effect. It is a tool of its own, `<implementation>.undo`, that a
   * rollback executes.
   */
  readonly compensate?: Compensation<Input, Output>;
}

/**
 * Defines a loop whose body is a function.
 *
 * @example
 * const add = defineTool({
 *   id: "add",
 *   version: "1.0.0",
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   output: z.object({ sum: z.number() }),
 *   run: ({ a, b }) => ({ sum: a + b }),
 * });
 */
export function defineTool<Input, Output>(tool: ToolInput<Input, Output>): Loop<Input, Output> {
  const implementation = tool.implementation ?? `local.${tool.id}`;
  checkWayBack(tool);
  const back = wayBackOf(tool, implementation);
  return {
    definition: {
      ...headerFields(tool),
      inputSchema: toJsonSchema(tool.input, `the input of tool ${tool.id}`),
      outputSchema: toJsonSchema(tool.output, `the output of tool ${tool.id}`),
      kind: "tool",
      tool: { implementation, ...(tool.config === undefined ? {} : { config: tool.config }) },
    },
    run: tool.run,
    declared: {
      ...declaredEffect(tool),
      ...back?.declared,
    },
    ...(back === undefined ? {} : { uses: [back.undo] }),
    ...refinementsOf(tool),
    ...(tool.needs === undefined ? {} : { needs: tool.needs }),
    ...gateOf(tool),
  };
}

function gateOf<Input, Output>({
  id,
  asks,
  gate,
}: ToolInput<Input, Output>): Pick<Loop<Input, Output>, "gate"> {
  if (asks === undefined) return gate === undefined ? {} : { gate };
  if (gate !== undefined)
    throw new AuthoringError("TOOL_UNUSABLE", `${id} has both \`asks\` and \`gate\`: say one`);
  const gated = { name: id, readOnly: false, policy: "ask" } as const;
  return {
    gate: (input) => decideGate(gated, () => (typeof asks === "string" ? asks : asks(input))),
  };
}

interface WayBack {
  readonly undo: Loop<never, unknown>;
  readonly declared: Pick<DeclaredEffect, "compensation">;
}

/** The compensation: the author's, or else the runtime's for a tool that changes files. */
function wayBackOf<Input, Output>(
  tool: ToolInput<Input, Output>,
  implementation: string,
): WayBack | undefined {
  const { compensate: compensation, artifacts, irreversible, effect } = tool;
  if (compensation !== undefined) {
    const undo = compensationLoop({ header: tool, implementation, compensation });
    return { undo, declared: declareCompensation(undo, compensation) };
  }
  // Inspected things are not files: only the tool changes them.
  if (artifacts === undefined || artifacts.inspect !== undefined) return undefined;
  if (irreversible !== undefined || effect === "read") return undefined;
  return restoringLoop(tool, implementation, artifacts.root);
}

/** The declarations about undoing must hold, since cards show them. */
function checkWayBack({
  id,
  compensate,
  artifacts,
  irreversible,
}: Pick<ToolInput<never, never>, "id" | "compensate" | "artifacts" | "irreversible">): void {
  if (compensate === undefined) return;
  if (irreversible !== undefined)
    throw new AuthoringError(
      "TOOL_UNUSABLE",
      `${id} has both \`compensate\` and \`irreversible\`: say one of them`,
    );
  // The runtime restores changed files: a compensation beside it would be a second, unrelated way
  // back.
  if (artifacts !== undefined)
    throw new AuthoringError(
      "TOOL_UNUSABLE",
      `${id} has both \`compensate\` and \`artifacts\`: files of a root are put back by the runtime`,
    );
}

function declaredEffect(declared: DeclaredEffect): DeclaredEffect {
  const { effect, build, reconcile, secrets, artifacts, undo, irreversible } = declared;
  return {
    ...(undo === undefined ? {} : { undo }),
    ...(irreversible === undefined ? {} : { irreversible }),
    ...(effect === undefined ? {} : { effect }),
    ...(build === undefined ? {} : { build }),
    ...(reconcile === undefined ? {} : { reconcile }),
    ...(secrets === undefined ? {} : { secrets }),
    ...(artifacts === undefined ? {} : { artifacts }),
  };
}
