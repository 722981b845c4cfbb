import { type Grant, HANDOFF_TOOL } from "@turnseal/protocol";
import { listReachable, type Target } from "@turnseal/runtime/project";
import { renderNote, type Terminal } from "@turnseal/terminal";

interface Announcement {
  readonly grant: Grant;
  readonly target: Target;
  readonly scripted: readonly string[];
  readonly unread: readonly string[];
}

/** Says what a reader might not expect: who answers, and which tools may not be executed. */
export function announceRun(
  { target, grant, scripted, unread }: Announcement,
  { err }: Terminal,
): void {
  const tools = listReachable(target).flatMap(({ definition }) =>
    definition.tool === undefined ? [] : [definition.tool.implementation],
  );
  // The loop, not a tool, names the runs that it may hand to.
  const denied = [...new Set(tools)].filter(
    (tool) => tool !== HANDOFF_TOOL && !grant.tools.includes(tool),
  );
  const notes = [
    ...(scripted.length === 0
      ? []
      : [`the scripted model answers, no provider is asked: ${scripted.join(", ")}`]),
    ...(grant.tools.length === 0 ? ["no tool is granted: the run cannot execute any"] : []),
    ...(denied.length === 0 ? [] : [`not granted: ${denied.join(", ")}  (--allow grants them)`]),
    ...unread.map(
      (name) => `no turn reads the payload of the signal ${name}  (map it with --next-input)`,
    ),
  ];
  for (const note of notes) err.writeLine(renderNote(note));
}
