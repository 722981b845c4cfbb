/** Finds the compensations of a group's members before any member acts (spec/flow.md §8.3). */
import type { Amounts } from "@turnseal/protocol";
import type { CheckedCall } from "../../definition/flow/checked-node.ts";
import type { Undos } from "../../hold.ts";
import { nameUndo } from "../../registry/list-references.ts";
import type { FlowParts, NodePlace } from "./node.ts";

/** Counts those that can act: bound compensations that the grant names. */
export function findUndos(
  members: readonly CheckedCall[],
  { frame: { grant } }: NodePlace,
  { world }: FlowParts,
): Undos {
  const tools = members.flatMap(({ loopId, loopVersion }) => {
    const named = loopVersion === undefined ? { loopId } : { loopId, loopVersion };
    const undo = nameUndo(named);
    const { definition } = world.identity.loops(undo.loopId, undo.loopVersion) ?? {};
    const name = definition?.tool?.implementation;
    if (definition === undefined || name === undefined) return [];
    const tool = grant?.tools.includes(name)
      ? world.effects.tools.find(name, definition.version)
      : undefined;
    return tool?.takesBack === true ? [{ name, tool }] : [];
  });
  return {
    each: tools.map(({ tool: { effect } }): Amounts => {
      return { toolCalls: 1, ...(effect === "read" ? {} : { effects: 1 }) };
    }),
    // A compensation's needs depend on what the member did.
    unknown: tools.flatMap(({ name, tool }) => (tool.needs === undefined ? [] : [name])),
  };
}
