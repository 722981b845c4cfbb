/** Decisions that a page sent after its approval was decided elsewhere, or had expired. */
import { findTurn } from "@turnseal/host";
import type { LoopEvent } from "@turnseal/protocol";
import type { UiChunk } from "../chunks/ui-chunk.ts";
import type { SessionHost } from "../session-host.ts";
import type { ChatDecision } from "./read-chat-message.ts";

/** The decisions of a page, and who sent them. */
export interface SentDecisions {
  readonly by: string;
  readonly decisions: readonly ChatDecision[];
}

/** Events of a turn that are read: in a longer one a late decision is not named. */
const [EVENTS_MAX, PAGE_MAX] = [20_000, 1_000];

export async function findLateDecisions(
  { stores: { log } }: Pick<SessionHost, "stores">,
  { run, turn }: { readonly run: string; readonly turn: number },
  { by, decisions }: SentDecisions,
): Promise<readonly UiChunk[]> {
  const head = await log.readHead(run);
  const first = await findTurn(log, { run, sequence: (head?.sequence ?? 0) + 1 }, turn);
  const ends = new Map<string, End>();
  const names = new Map<number, string>();
  for (let from = first; from < first + EVENTS_MAX; from += PAGE_MAX) {
    const events = await log.read(run, from, PAGE_MAX);
    for (const event of events) {
      if (event.type === "approval.requested") names.set(event.sequence, event.id);
      const end = endOf(event);
      const name = names.get(end?.approval ?? -1);
      if (end !== undefined && name !== undefined)
        ends.set(name, { ...end, said: [...(ends.get(name)?.said ?? []), ...end.said] });
    }
    if (events.length < PAGE_MAX) break;
  }
  return decisions.flatMap(({ approval, isApproved }) => {
    const end = ends.get(approval);
    const own = JSON.stringify([by, isApproved]);
    if (end === undefined || end.isApproved === isApproved || end.said.includes(own)) return [];
    const words = `Your decision came too late: this ${end.words}.`;
    return [{ type: "data-late", id: `late ${approval}`, data: { approval, words } }];
  });
}

/** What became of an approval. */
interface End {
  readonly approval: number | undefined;
  /** Undefined for one that expired. */
  readonly isApproved: boolean | undefined;
  /** Who has said what, as JSON. */
  readonly said: readonly string[];
  readonly words: string;
}

function endOf(event: LoopEvent): End | undefined {
  if (event.type === "approval.expired") {
    const { approval } = event.content;
    return { approval, isApproved: undefined, said: [], words: "was open no longer" };
  }
  if (event.type !== "approval.decided") return undefined;
  const { approval, choice } = event.content;
  const isApproved = choice !== "reject";
  const { id } = event.actor;
  const words = `was ${isApproved ? "approved" : "denied"} by ${id}`;
  return { approval, isApproved, said: [JSON.stringify([id, isApproved])], words };
}
