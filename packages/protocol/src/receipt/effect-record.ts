/** The record of each action of a turn in its receipt (spec/receipt.md §3.4). */

import type { Actor } from "../actor.ts";
import type { StandingDraw } from "../approval/standing.ts";
import { isPlainObject, type JsonObject, type JsonValue } from "../canonical-json.ts";
import type { DeclaredCompensation, TakenAction } from "../compensation.ts";
import type { BlobRef } from "../log/blob-ref.ts";
import type { EventPoint } from "../log/event-point.ts";
import type { RawEvent } from "../log/raw-event.ts";
import type { RuleReference } from "../policy/decision.ts";

/** One claim: what was to be done, under which term of the grant, and how it ended. */
export interface EffectRecord {
  readonly key: string;
  readonly action: string;
  /** The digest of the whole action, under the run's key. */
  readonly digest: string;
  /** The declared effect of a second execution. */
  readonly effect: string;
  /** For a tool: its reference, its code, and the term of the grant that allows it. */
  readonly tool?: string;
  readonly build?: string;
  readonly term?: string;
  /** The terms over resources that it was admitted under, where it needs any. */
  readonly terms?: readonly string[];
  /** The names of the secrets that it got, and that were removed from its answer. */
  readonly secrets?: readonly string[];
  /** The compensation, or the reason why there is none, as its tool declares it. */
  readonly compensation?: DeclaredCompensation;
  readonly irreversible?: string;
  /** The action that it takes back. */
  readonly takesBack?: TakenAction;
  /** The path of its group, where it was held for that and did nothing. */
  readonly held?: string;
  /** When it was to be over. */
  readonly deadlineAt?: string;
  /** For a model. */
  readonly backend?: string;
  readonly model?: string;
  /** For a handoff: the run that was started, and its final receipt once it has ended. */
  readonly child?: string;
  readonly receipt?: string;
  /** The rule that allowed it or asked for it. */
  readonly rule?: RuleReference;
  /** The request that it was done under, and who decided. */
  readonly approval?: EffectApproval;
  /** The use of a standing approval, and its rest. */
  readonly drawn?: StandingDraw;
  readonly claim: EventPoint;
  /** The claim whose place this one takes. */
  readonly supersedes?: number;
  /** The end as recorded, or `unknown` for a claim that is open: it may have happened. */
  readonly status: string;
  readonly end?: EffectEnd;
  /** The reason of a failure. */
  readonly reason?: BlobRef;
}

/** The event that settled or resolved a claim, or a decision. */
export interface EffectEnd extends EventPoint {
  readonly by: Actor;
}

export interface EffectApproval extends EventPoint {
  readonly decisions: readonly EffectEnd[];
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
  "deadlineAt",
  "irreversible",
  "held",
] as const;

/** The claims of a turn in the order of the log, each with its end. */
export function listEffects(events: readonly RawEvent[]): JsonObject[] {
  const ends = collectEnds(events);
  const approvals = collectApprovals(events);
  return events
    .filter(({ type }) => type === "action.claimed")
    .map(({ content, sequence, hash }) => {
      const { supersedes, terms, secrets, rule, compensation, takesBack, drawn } = content;
      const approval = approvals.get(content["approval"]);
      return {
        ...pickTexts(content, claimTexts),
        ...(Array.isArray(terms) ? { terms } : {}),
        ...(Array.isArray(secrets) ? { secrets } : {}),
        ...(typeof supersedes === "number" ? { supersedes } : {}),
        ...(isPlainObject(rule) ? { rule } : {}),
        ...(isPlainObject(compensation) ? { compensation } : {}),
        ...(isPlainObject(takesBack) ? { takesBack } : {}),
        ...(approval === undefined ? {} : { approval }),
        ...(isPlainObject(drawn) ? { drawn } : {}),
        claim: { sequence, hash },
        ...describeEnd(ends.get(sequence)),
      };
    });
}

/** The first end of each claim, by the claim's sequence number. */
function collectEnds(events: readonly RawEvent[]): Map<JsonValue | undefined, RawEvent> {
  const ends = new Map<JsonValue | undefined, RawEvent>();
  for (const event of events) {
    if (event.type !== "action.settled" && event.type !== "action.resolved") continue;
    const { claim } = event.content;
    if (!ends.has(claim)) ends.set(claim, event);
  }
  return ends;
}

/** The requests of the turn and their decisions, by the request's sequence number. */
function collectApprovals(
  events: readonly RawEvent[],
): Map<JsonValue | undefined, JsonObject & { readonly decisions: JsonObject[] }> {
  const approvals: ReturnType<typeof collectApprovals> = new Map();
  for (const event of events) {
    const { type, sequence, hash, content } = event;
    if (type === "approval.requested") approvals.set(sequence, { sequence, hash, decisions: [] });
    if (type !== "approval.decided") continue;
    approvals.get(content["approval"])?.decisions.push(whoSaid(event));
  }
  return approvals;
}

function describeEnd(end: RawEvent | undefined): JsonObject {
  if (end === undefined) return { status: "unknown" };
  const { content, type } = end;
  const { reason } = content;
  const said = content[type === "action.settled" ? "status" : "resolution"];
  return {
    ...pickTexts(content, ["receipt"]),
    ...(isPlainObject(reason) ? { reason } : {}),
    status: typeof said === "string" ? said : "unknown",
    end: whoSaid(end),
  };
}

function whoSaid({ sequence, hash, actor: { kind, id } }: RawEvent): JsonObject {
  return { sequence, hash, by: { kind, id } };
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
