/** A run that was handed to and has ended, in the words of a session. */
import { type SettledOf, textOf } from "@turnseal/protocol";
import { formatGenerationId } from "@turnseal/protocol/events";
import type { ReadContent } from "./applied.ts";
import type { EnvelopeDraft } from "./envelope-draft.ts";
import type { OpenTool } from "./session-state.ts";

export function describeChild(
  tool: OpenTool,
  event: SettledOf<"handoff">,
  read: ReadContent,
): EnvelopeDraft {
  const { run, turn, at, actor, content } = event;
  const result = tool.result === null ? undefined : read(tool.result);
  const isErased = tool.args === undefined || (tool.result !== null && result === undefined);
  return {
    type: "child-generation",
    content: {
      item: tool.args ?? null,
      index: tool.index,
      total: tool.total,
      durationMs: Math.max(0, Date.parse(at) - Date.parse(tool.claimedAt ?? at)),
      parentGenerationId: formatGenerationId(run, turn),
      childGenerationId: formatGenerationId(actor.id, content.turns ?? 1),
      outcome: textOf(content.stopped),
      ...(result === undefined ? {} : { result }),
    },
    ...(isErased ? { erased: true as const } : {}),
  };
}
