/** What a receipt says of each action of its turn (spec/receipt.md §3.4). */
import type { JsonObject, JsonValue } from "../canonical-json.ts";
import type { Actor, LoopEvent } from "../log/loop-event.ts";

/** One claim: what was to be done, under which term of the grant, and how it ended. */
export interface EffectRecord {
  readonly key: string;
  readonly action: string;
  /** The digest of the whole action, under the run's key. */
  readonly digest: string;
  /** What the action declares about being done twice. */
  readonly effect: string;
  /** For a tool: its reference, its code, and the term of the grant that allows it. */
  readonly tool?: string;
  readonly build?: string;
  readonly term?: string;
  /** For a model. */
  readonly backend?: string;
  readonly model?: string;
  /** For a handoff: the run that was started, and its final receipt once it has ended. */
  readonly child?: string;
  readonly receipt?: string;
  readonly claim: EventPoint;
  /** The claim whose place this one takes. */
  readonly supersedes?: number;
  /** The end as recorded, or `unknown` for a claim that is open: it may have happened. */
  readonly status: string;
  readonly end?: EffectEnd;
}

export interface EventPoint {
  readonly sequence: number;
  readonly hash: string;
}

/** The event that settled or resolved a claim, and who said so. */
export interface EffectEnd extends EventPoint {
  readonly by: Actor;
}

const claimTexts = [
  "key",
  "action",
  "digest",
  "effect",
  "tool",
  "build",
  "term",
  "backend",
  "model",
  "child",
] as const;

/** The claims of a turn in the order of the log, each with its end. */
export function listEffects(events: readonly LoopEvent[]): JsonObject[] {
  const ends = collectEnds(events);
  return events
    .filter(({ type }) => type === "action.claimed")
    .map(({ content, sequence, hash }) => {
      const { supersedes } = content;
      return {
        ...pickTexts(content, claimTexts),
        ...(typeof supersedes === "number" ? { supersedes } : {}),
        claim: { sequence, hash },
        ...describeEnd(ends.get(sequence)),
      };
    });
}

/** The first end of each claim, by the claim's sequence number. */
function collectEnds(events: readonly LoopEvent[]): Map<JsonValue | undefined, LoopEvent> {
  const ends = new Map<JsonValue | undefined, LoopEvent>();
  for (const event of events) {
    if (event.type !== "action.settled" && event.type !== "action.resolved") continue;
    const { claim } = event.content;
    if (!ends.has(claim)) ends.set(claim, event);
  }
  return ends;
}

function describeEnd(end: LoopEvent | undefined): JsonObject {
  if (end === undefined) return { status: "unknown" };
  const { content, type, sequence, hash, actor } = end;
  const said = content[type === "action.settled" ? "status" : "resolution"];
  return {
    ...pickTexts(content, ["receipt"]),
    status: typeof said === "string" ? said : "unknown",
    end: { sequence, hash, by: { kind: actor.kind, id: actor.id } },
  };
}

/** Those of the named fields that are texts. */
export function pickTexts(content: JsonObject, names: readonly string[]): JsonObject {
  const picked: Record<string, JsonValue> = {};
  for (const name of names) {
    const value = content[name];
    if (typeof value === "string") picked[name] = value;
  }
  return picked;
}
