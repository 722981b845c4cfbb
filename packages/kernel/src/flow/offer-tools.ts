/** The loops that a prompt offers to its model, by the names that the model knows them by. */
import type { ModelTool } from "@turnseal/ports";
import type { PromptSpec } from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { aliasOf } from "../definition/tool-alias.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import { listThreads } from "../registry/check-threads.ts";
import { reachesNotes } from "../registry/reach-notes.ts";
import type { World } from "../world.ts";

interface OfferedTool {
  readonly loop: CheckedLoop;
  readonly isIndependent: boolean;
  /** The threads that a call of it may go on with. */
  readonly threads: readonly string[];
  /** True when it can write notes, or looks at those of its caller. */
  readonly hasNotes: boolean;
}

export type OfferedTools = ReadonlyMap<string, OfferedTool>;

export function offerTools(
  { tools = [] }: PromptSpec,
  { identity: { loops } }: World,
): Outcome<OfferedTools> {
  const offered = new Map<string, OfferedTool>();
  for (const { loopId, loopVersion, independent = false } of tools) {
    const loop = loops(loopId, loopVersion);
    if (loop === undefined) return fail("LOOP_NOT_FOUND", `the tool ${loopId} is not registered`);
    const name = aliasOf(loop.definition);
    // Which of the two the model means, nobody could tell.
    if (offered.has(name)) return fail("LOOP_NOT_FOUND", `two tools go by the name ${name}`);
    const threads = listThreads(loop, loops);
    const hasNotes = reachesNotes(loop, loops);
    // Notes are written one after the other, in the order of the answer.
    offered.set(name, { loop, isIndependent: independent && !hasNotes, threads, hasNotes });
  }
  return succeed(offered);
}

/** Describes them for a request. */
export function describeTools(offered: OfferedTools): ModelTool[] {
  return [...offered].map(([name, { loop }]) => {
    const { definition } = loop;
    return {
      name,
      description: definition.description ?? definition.name,
      inputSchema: typeof definition.inputSchema === "object" ? definition.inputSchema : {},
    };
  });
}
