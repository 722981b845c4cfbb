/** A tree of fan-outs whose items are runs, and a leaf that takes its time and leaves a mark. */
import { appendFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Grant, JsonValue, LoopDef } from "@turnseal/protocol";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";

export interface TreeShape {
  /** Items of each fan-out. */
  readonly width: number;
  /** Fan-outs inside each other. */
  readonly depth: number;
  /** How long a leaf takes. */
  readonly leafMs: number;
  /** Where each leaf writes its key, once it has waited. */
  readonly marks: string;
}

/** The composites are `level-1`, above all others, to `level-<depth>`. */
const nameLevel = (level: number): string => `level-${level}`;
const LEAF = "leaf";

export function treeLoops({ width, depth, leafMs, marks }: TreeShape): Loop<JsonValue, JsonValue> {
  const leaf = defineTool({
    ...{ id: LEAF, version: "1.0.0", effect: "idempotent", build: "1" },
    input: jsonSchema<{ readonly at: number }>({ type: "object" }),
    output: jsonSchema<JsonValue>(true),
    run: async ({ at }, { key }) => {
      await wait(leafMs);
      // The count of the marks takes each key once, like a tool that acts once for each key.
      appendFileSync(marks, `${key} ${at}\n`);
      return at;
    },
  });
  let below = leaf as unknown as Loop<JsonValue, JsonValue>;
  for (let level = depth; level >= 1; level--)
    below = { definition: describeLevel(nameLevel(level), width, below), uses: [below] };
  return below;
}

function describeLevel(
  id: string,
  width: number,
  { definition }: Loop<JsonValue, JsonValue>,
): LoopDef {
  const items = Array.from({ length: width }, (_, index) => index);
  const at = { cel: `input.at * ${width} + item` };
  return {
    ...{ id, name: id, version: "1.0.0", inputSchema: true, outputSchema: true },
    kind: "composite",
    composite: {
      flow: {
        ...{ kind: "forEach", items: { const: items }, max: width, spread: "runs" },
        concurrency: Math.min(width, 256),
        body: { kind: "call", loopId: definition.id, inputMapping: { at } },
      },
    },
  };
}

export function countRuns({ width, depth }: Pick<TreeShape, "width" | "depth">): number {
  let [runs, level] = [1, 1];
  for (let below = 0; below < depth; below++) {
    level *= width;
    runs += level;
  }
  return runs;
}

/** Just as much as the tree needs: one unit more spent anywhere, and it would not end. */
export function treeGrant(shape: Pick<TreeShape, "width" | "depth">): Grant {
  const leaves = shape.width ** shape.depth;
  const runs = countRuns(shape);
  const levels = Array.from({ length: shape.depth - 1 }, (_, index) => nameLevel(index + 2));
  return {
    ...{ grantor: "proof", tools: ["local.leaf"], handoffs: [...levels, LEAF] },
    depth: shape.depth,
    budget: { toolCalls: leaves, effects: leaves, turns: runs, handoffs: runs - 1 },
  };
}
