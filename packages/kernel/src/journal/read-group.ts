/** Reads a group from the turn so far, for its flow. */
import { type BlobRef, isPlainObject, type JsonValue, type LoopEvent } from "@turnseal/protocol";
import {
  type FoldedGroup,
  factsOf,
  type GroupMember,
  readGroups,
} from "@turnseal/protocol/receipts";
import { restPath } from "../hold.ts";
import type { Frame } from "../resume/frame.ts";
import { actionKey } from "../step/action-key.ts";
import type { GroupMoment, RunJournal } from "../step/journal.ts";
import type { TurnJournalOptions } from "../step/step.ts";
import { eventsOf } from "./events-of.ts";

type GroupReads = Pick<RunJournal, "readGroup" | "findAsked" | "readMember">;

export function createGroupReads(options: TurnJournalOptions): GroupReads {
  const { run, turn, appender } = options;
  const isAsked = (frame: Frame, path: string) => {
    const place = { run, turn, path: frame.path + restPath(path), ordinal: 0, retry: 0 };
    const key = actionKey(place);
    return (event: LoopEvent) => event.type === "question.asked" && event.content.key === key;
  };
  const read = (reference: JsonValue | undefined): Promise<JsonValue> =>
    isPlainObject(reference)
      ? appender.content.read(reference as unknown as BlobRef)
      : Promise.resolve(null);
  return {
    readGroup: (frame, path, before) => {
      const events = eventsOf(options);
      const isMoment = {
        asked: isAsked(frame, path),
        closed: (event: LoopEvent) => isClosing(event, frame, path),
      } satisfies Record<GroupMoment, unknown>;
      const end = before === undefined ? -1 : events.findIndex(isMoment[before]);
      return find(end < 0 ? events : events.slice(0, end), frame, path);
    },
    findAsked: (frame, path) => eventsOf(options).find(isAsked(frame, path))?.sequence,
    readMember: async (member: GroupMember) => ({
      input: await read(factsOf(member).request),
      result: await read(member.result),
    }),
  };
}

function isClosing(event: LoopEvent, { call }: Frame, path: string): boolean {
  return event.type === "group.closed" && event.call === call && event.content.path === path;
}

function find(
  events: readonly LoopEvent[],
  { call }: Frame,
  path: string,
): FoldedGroup | undefined {
  return readGroups(events).find((group) => group.call === call && group.path === path);
}
