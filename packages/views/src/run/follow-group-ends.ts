/** How the effect groups of a run ended, by the names of their tools: a fold of its events. */
import type { ContentOf, LoopEvent } from "@turnseal/protocol";

type Closed = ContentOf<"group.closed">;

export interface GroupEnd {
  readonly turn: number;
  readonly path: string;
  readonly outcome: Closed["outcome"];
  readonly members: readonly EndedMember[];
  /** True where a person was asked about its rest. */
  readonly isAsked: boolean;
}

interface EndedMember extends Pick<Closed["members"][number], "end"> {
  readonly tool: string;
}

/** Groups in the list, the latest. */
export const GROUP_ENDS_MAX = 50;

export interface GroupEndFold {
  take(event: LoopEvent): void;
  list(): readonly GroupEnd[];
}

export function followGroupEnds(): GroupEndFold {
  const ends: GroupEnd[] = [];
  /** Of the open turn, by key. */
  const tools = new Map<string, string>();
  return {
    list: () => ends,
    take: (event) => {
      if (event.type === "turn.closed") tools.clear();
      if (event.type === "action.claimed" && event.content.action === "tool")
        if (event.content.held !== undefined) tools.set(event.content.key, event.content.tool);
      if (event.type !== "group.closed") return;
      const { path, outcome, members, asked } = event.content;
      ends.push({
        ...{ turn: event.turn ?? 0, path, outcome, isAsked: asked !== undefined },
        members: members.map(({ key, end }) => ({ tool: tools.get(key) ?? "", end })),
      });
      if (ends.length > GROUP_ENDS_MAX) ends.shift();
    },
  };
}
