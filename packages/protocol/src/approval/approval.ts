/**
 * Approvals: a request, and its decisions (spec/approval.md).
 *
 * 1. A request is an event, and people approve its hash. The hash covers run, turn, key, tool and
 *    version, the digest of the arguments, grant, policy, both times and the event's own id.
 * 2. The log alone decides whether it is approved: the runtime and every verifier use the same
 *    function.
 * 3. It is used once, by the claim that names it.
 */
import type { JsonObject, JsonValue } from "../canonical-json.ts";
import { isInstant } from "../instant.ts";
import { type AnyEvent, toRaw } from "../log/raw-event.ts";
import { APPROVERS_MAX, EXCLUSIONS, type Exclusion } from "../policy/policy.ts";
import { isCount } from "../shape.ts";

/** A person who decides or answers, as the operator's own function identifies them. */
export interface Identity {
  readonly id: string;
  readonly roles: readonly string[];
}

/** A person's choices on an approval: a closed set. An edit makes a new request. */
export const APPROVAL_CHOICES = ["approve", "reject", "edit"] as const;
export type ApprovalChoice = (typeof APPROVAL_CHOICES)[number];

/** Why a decision does not count: a closed set. */
export const DECISION_REFUSALS = [
  "not-asked",
  "choice-unknown",
  "identity-missing",
  "role-missing",
  "person-excluded",
  "too-late",
  "decided-already",
  "standing-refused",
  "answer-wrong",
] as const;
export type DecisionRefusal = (typeof DECISION_REFUSALS)[number];

/** The terms of a request: who may decide, and until when. */
export interface DecisionTerms {
  readonly role?: string;
  readonly approvers: number;
  /** The ids of those who may not approve. Absent: all people may. */
  readonly excluded?: readonly string[];
  readonly decideBy: string;
}

/** The most people that one request can exclude. */
export const EXCLUDED_MAX = 64;

export interface ApprovalDecision {
  readonly choice: unknown;
  readonly by: Identity;
  /** When the decision was made durable, by the store's clock. */
  readonly receivedAt: string;
}

/** Why a decision does not count, or undefined when it does. Not whether it comes after another. */
export function refuseDecision(
  { role, excluded = [], decideBy }: DecisionTerms,
  { choice, by, receivedAt }: ApprovalDecision,
): DecisionRefusal | undefined {
  if (!(APPROVAL_CHOICES as readonly unknown[]).includes(choice)) return "choice-unknown";
  if (by.id === "") return "identity-missing";
  if (role !== undefined && !by.roles.includes(role)) return "role-missing";
  // They may still say no, or want it otherwise: then others decide.
  if (choice === "approve" && excluded.includes(by.id)) return "person-excluded";
  // Instants compare as their texts do; what is not one is too late.
  if (!isInstant(receivedAt) || !isInstant(decideBy) || receivedAt > decideBy) return "too-late";
  return undefined;
}

/** How many people must still approve: everybody counts once. */
export function missingApprovals(approvers: number, approvedBy: Iterable<string>): number {
  return Math.max(0, approvers - new Set(approvedBy).size);
}

export type ApprovalState<Said> =
  | { readonly kind: "pending" }
  | { readonly kind: "approved" | "rejected" | "edited"; readonly by: readonly Said[] };

/** How a request stands after these events, in the order of the log. */
export function judgeApproval<Said extends AnyEvent>(
  requested: AnyEvent,
  decisions: readonly Said[],
): ApprovalState<Said> {
  const terms = readTerms(toRaw(requested).content);
  const approvedBy = new Map<string, Said>();
  for (const event of decisions) {
    if (terms === undefined || !countsAsDecision(requested, event)) continue;
    const { actor, content } = toRaw(event);
    const { choice } = content;
    if (choice === "reject") return { kind: "rejected", by: [event] };
    if (choice === "edit") return { kind: "edited", by: [event] };
    if (!approvedBy.has(actor.id)) approvedBy.set(actor.id, event);
    if (missingApprovals(terms.approvers, approvedBy.keys()) === 0) {
      return { kind: "approved", by: [...approvedBy.values()] };
    }
  }
  return { kind: "pending" };
}

/** True for a decision on this very request, by a person who may decide, received in time. */
export function countsAsDecision(requested: AnyEvent, event: AnyEvent): boolean {
  const { type, actor, content } = toRaw(event);
  const terms = readTerms(toRaw(requested).content);
  const { choice, receivedAt } = content;
  const isOurs =
    requested.type === "approval.requested" &&
    type === "approval.decided" &&
    content["approval"] === requested.sequence &&
    content["hash"] === requested.hash;
  if (!isOurs || actor.kind !== "person" || terms === undefined) return false;
  if (!isInstant(receivedAt)) return false;
  const by = { id: actor.id, roles: readTexts(content["roles"]) };
  return refuseDecision(terms, { choice, by, receivedAt }) === undefined;
}

/** True for an answer to this very question, by its recipient, received in time. */
export function answersQuestion(asked: AnyEvent, event: AnyEvent): boolean {
  const { to, role, excluded, decideBy } = toRaw(asked).content;
  const { type, actor, content } = toRaw(event);
  const { roles, receivedAt, signal } = content;
  const isOurs =
    asked.type === "question.asked" &&
    type === "question.answered" &&
    content["question"] === asked.sequence &&
    content["hash"] === asked.hash;
  // A wait is answered by a signal, which a person has sent.
  const isOfThem = to === "signal" ? actor.kind === "person" && isCount(signal) : actor.kind === to;
  const isForThem =
    isOfThem &&
    actor.id !== "" &&
    !readTexts(excluded).includes(actor.id) &&
    (role === undefined || readTexts(roles).some((held) => held === role));
  const isInTime =
    isInstant(receivedAt) &&
    (decideBy === undefined || (isInstant(decideBy) && receivedAt <= decideBy));
  return isOurs && isForThem && isInTime;
}

/** The terms of a decision, as a request records them; undefined if they are unreadable. */
export function readTerms(content: JsonObject): DecisionTerms | undefined {
  const { role, approvers, excluded, decideBy } = content;
  if (typeof approvers !== "number" || !Number.isSafeInteger(approvers)) return undefined;
  if (approvers < 1 || approvers > APPROVERS_MAX || !isInstant(decideBy)) return undefined;
  if (role !== undefined && typeof role !== "string") return undefined;
  if (excluded !== undefined && !isExcluded(excluded)) return undefined;
  return {
    approvers,
    decideBy,
    ...(role === undefined ? {} : { role }),
    ...(excluded === undefined ? {} : { excluded }),
  };
}

/** A list of ids that a request can exclude. */
function isExcluded(value: JsonValue): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= EXCLUDED_MAX &&
    value.every((id) => typeof id === "string")
  );
}

/** The id that is recorded for an unnamed person. It belongs to no real person. */
export const UNKNOWN_PERSON = "unknown";

/**
 * The people excluded by `exclude`, by id, each once (spec/approval.md §9.4); undefined if not
 * everyone who set the turn going is known.
 */
export function listExcluded(
  exclude: readonly Exclusion[],
  { starters, editors }: Readonly<Record<"starters" | "editors", readonly string[]>>,
): string[] | undefined {
  const isUnknown = starters.length === 0 || starters.includes(UNKNOWN_PERSON);
  if (exclude.includes("starter") && isUnknown) return undefined;
  const ids = [
    ...(exclude.includes("starter") ? starters : []),
    ...(exclude.includes("editor") ? editors : []),
  ];
  return [...new Set(ids)];
}

/** The people that a request excludes, in the words of its rule. */
export function readExclude({ exclude }: JsonObject): Exclusion[] {
  const words = readTexts(exclude);
  return EXCLUSIONS.filter((word) => words.includes(word));
}

export function readTexts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
