/** Closes the groups of a turn that is ended from outside, as the log has them (flow.md §8.9). */
import type { LoopEvent } from "@turnseal/protocol";
import { endOfMember, type FoldedGroup, outcomeOf, readGroups } from "@turnseal/protocol/receipts";
import type { Appender, EventDraft } from "../log/appender.ts";

export function closeGroups(
  { turn, recorded }: { readonly turn: number; readonly recorded: readonly LoopEvent[] },
  appender: Appender,
): void {
  const read = () => readGroups([...recorded, ...appender.sinceMark()]);
  for (const { members, closed } of read())
    for (const member of closed === undefined ? members : [])
      if (member.own === "held") appender.push(() => giveUp(member, turn));
  for (const group of read())
    if (group.closed === undefined) appender.push(() => describeClose(group, turn, recorded));
}

/** A held claim has not acted. */
function giveUp(
  { claim: { call = "", parentCall, sequence, content } }: FoldedGroup["members"][number],
  turn: number,
): EventDraft<"action.settled"> {
  // They stand in a claim that our own writer made.
  const { key, reserve, periods } = content as unknown as EventDraft<"action.settled">["content"];
  return {
    turn,
    call,
    ...(parentCall === undefined ? {} : { parentCall }),
    type: "action.settled",
    content: {
      ...{ action: "tool", key, claim: sequence, status: "cancelled", durationMs: 0 },
      ...{ reserve, spent: { toolCalls: 1 } },
      ...(periods === undefined ? {} : { periods }),
    },
  };
}

function describeClose(
  group: FoldedGroup,
  turn: number,
  recorded: readonly LoopEvent[],
): EventDraft<"group.closed"> {
  const { call, path, members } = group;
  const started = recorded.find((event) => event.type === "call.started" && event.call === call);
  const { parentCall } = started ?? {};
  return {
    turn,
    call,
    ...(parentCall === undefined ? {} : { parentCall }),
    type: "group.closed",
    content: {
      path,
      outcome: outcomeOf(group),
      members: members.map((member) => ({ key: member.key, end: endOfMember(member) })),
    },
  };
}
