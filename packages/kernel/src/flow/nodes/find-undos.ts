/** What takes the members of a group back, before any of them is done (spec/flow.md §8.3). */
import type { Amounts } from "@turnseal/protocol";
import type { CheckedCall } from "../../definition/flow/checked-node.ts";
import type { Undos } from "../../hold.ts";
import { nameUndo } from "../../registry/list-references.ts";
import type { FlowParts, NodePlace } from "./node.ts";

/** As many as can come to act: those that are there, and that the grant names. */
export function findUndos(
  members: readonly CheckedCall[],
  { frame: { grant } }: NodePlace,
  { world }: FlowParts,
): Undos {
  const tools = members.flatMap(({ loopId, loopVersion }) => {
    const named = loopVersion === undefined ? { loopId } : { loopId, loopVersion };
    const undo = nameUndo(named);
    const { definition } = world.loops(undo.loopId, undo.loopVersion) ?? {};
    const name = definition?.tool?.implementation;
    if (definition === undefined || name === undefined) return [];
    const tool = grant?.tools.includes(name)
      ? world.tools.find(name, definition.version)
      : undefined;
    return tool?.takesBack === true ? [{ name, tool }] : [];
  });
  return {
    each: tools.map(({ tool: { effect } }): Amounts => {
      return { toolCalls: 1, ...(effect === "read" ? {} : { effects: 1 }) };
    }),
    // What it needs follows from what was done.
    unknown: tools.flatMap(({ name, tool }) => (tool.needs === undefined ? [] : [name])),
  };
}
