/**
 * Follows requests to people and their answers (spec/receipt.md §6.6, spec/approval.md §7).
 *
 * 1. An answer counts for an open request of the turn, from a person who may give it, in time. An
 *    honest log holds no other answer.
 * 2. A claim of an approved action names its request; it must be approved, for this very action,
 *    and be used in time, and once. The approval of a plan is used for its steps
 *    (follow-planned.ts).
 * 3. A wait is answered by a signal of the run, of its name and with its payload; each answers one.
 */
import {
  answersQuestion,
  countsAsDecision,
  judgeApproval,
  listExcluded,
  readExclude,
  readTexts,
} from "../approval/approval.ts";
import { canonicalize, isPlainObject, type JsonObject, type JsonValue } from "../canonical-json.ts";
import type { Term } from "../grant/term.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { type Finding, type FindingCode, finding } from "./finding.ts";
import { followPlanned, type PlannedFollower } from "./follow-planned.ts";
import { followStanding } from "./follow-standing.ts";
import type { TurnPlace } from "./follow-turns.ts";
import type { ReadContent } from "./read-content.ts";
import { isFor, isUnderSame } from "./same-claim.ts";

export interface ApprovalFollower {
  /** `place` is the turn, with the grant of the event's call. */
  follow(event: RawEvent, place: TurnPlace | undefined): Finding[];
}

interface Request {
  readonly asked: RawEvent;
  /** The answers that count. */
  readonly said: RawEvent[];
  isExpired: boolean;
  isUsed: boolean;
}

export function followApprovals(read: ReadContent): ApprovalFollower {
  // By sequence number, and all of one turn.
  let requests = new Map<JsonValue | undefined, Request>();
  // The people who edited a request, by its key.
  let editors = new Map<JsonValue | undefined, Set<string>>();
  let claims = new Map<JsonValue | undefined, RawEvent>();
  let starters: readonly string[] = [];
  // Whose approval the members of a group want, by the call and the path of the group.
  let wanted = new Map<string, Set<string>>();
  const plans = followPlanned();
  const standing = followStanding(read);
  // Signals of the run that no wait has used, by sequence number.
  const signals = new Map<JsonValue | undefined, JsonObject>();
  const hear = (event: RawEvent): Finding[] => {
    const { approval, question } = event.content;
    const request = requests.get(approval ?? question);
    const isCounted =
      request !== undefined && isHeard(request, event) && isSignalled(request, event, signals);
    if (!isCounted) return [fault(event, "APPROVAL_VOID")];
    request.said.push(event);
    if (event.content["choice"] === "edit")
      editors.get(request.asked.content["key"])?.add(event.actor.id);
    if (request.asked.content["to"] === "signal") signals.delete(event.content["signal"]);
    return faultOf(event, standing.give(request.asked, event));
  };
  const claim = (event: RawEvent, place: TurnPlace | undefined): Finding[] => {
    claims.set(event.sequence, event);
    const { approval, supersedes } = event.content;
    if (supersedes !== undefined) {
      const before = claims.get(supersedes)?.content ?? {};
      return isUnderSame(before, event.content) ? [] : [fault(event, "APPROVAL_MISMATCH")];
    }
    const roles = new Set([...rolesFor(event, place), ...(wanted.get(groupOf(event)) ?? [])]);
    if (event.content["drawn"] !== undefined) {
      const given = { isAskedFor: editors.has(event.content["key"]), starters, roles };
      const isGranted = isStillGranted(event, place);
      return faultOf(event, standing.draw(event, { ...given, isGranted }));
    }
    // A held action does nothing: its approval comes with its group.
    if (event.content["held"] !== undefined) return wanted.set(groupOf(event), roles) && [];
    const code = judgeClaim(event, { requests, editors, place, plans, starters, roles });
    const request = requests.get(approval);
    if (request !== undefined) request.isUsed = true;
    return faultOf(event, code);
  };
  return {
    follow: (event, place) => {
      plans.follow(event);
      switch (event.type) {
        case "turn.started":
        case "turn.closed":
          [requests, claims, wanted, editors] = [new Map(), new Map(), new Map(), new Map()];
          starters = readTexts(event.content["starters"]);
          return [];
        case "signal.received":
          if (event.content["kind"] === "signal") signals.set(event.sequence, event.content);
          return event.content["kind"] === "revoke" ? faultOf(event, standing.revoke(event)) : [];
        case "approval.requested":
        case "question.asked":
          return ask(event, { requests, editors, starters }) ? [] : [fault(event, "APPROVAL_VOID")];
        case "approval.decided":
        case "question.answered":
          return hear(event);
        case "approval.expired":
          expire(event, requests);
          return [];
        case "action.claimed":
          return claim(event, place);
        case "action.resolved":
          return mayAnswer(event, claims) ? [] : [fault(event, "APPROVAL_VOID")];
        default:
          return [];
      }
    },
  };
}

function expire(
  { content: { approval, question } }: RawEvent,
  requests: ReadonlyMap<JsonValue | undefined, Request>,
): void {
  const request = requests.get(approval ?? question);
  if (request !== undefined) request.isExpired = true;
}

/** True if a request names all excluded people, and none of them is unknown. */
function namesExcluded(
  { type, content }: RawEvent,
  people: Parameters<typeof listExcluded>[1],
): boolean {
  // A question is answered, not approved: it excludes no one.
  if (type === "question.asked") return true;
  const named = readTexts(content["excluded"]);
  const excluded = listExcluded(readExclude(content), people);
  return excluded?.every((id) => named.includes(id)) ?? false;
}

type Book = Pick<Asked, "starters"> & {
  readonly requests: Map<JsonValue | undefined, Request>;
  readonly editors: Map<JsonValue | undefined, Set<string>>;
};

/** Notes a request; false if it omits an excluded person. */
function ask(event: RawEvent, { requests, editors, starters }: Book): boolean {
  const { key } = event.content;
  requests.set(event.sequence, { asked: event, said: [], isExpired: false, isUsed: false });
  const before = editors.get(key) ?? new Set();
  editors.set(key, before);
  return namesExcluded(event, { starters, editors: [...before] });
}

/** True if the request was open, and the answer counts for it. */
function isHeard({ asked, said, isExpired }: Request, event: RawEvent): boolean {
  if (isExpired) return false;
  if (asked.type === "question.asked") return said.length === 0 && answersQuestion(asked, event);
  const isOpen = judgeApproval(asked, said).kind === "pending";
  const isFirst = said.every(({ actor }) => actor.id !== event.actor.id);
  return isOpen && isFirst && countsAsDecision(asked, event);
}

/** True when a wait is answered by what a signal of its name has brought, or is none. */
function isSignalled(
  { asked }: Request,
  { content }: RawEvent,
  signals: ReadonlyMap<JsonValue | undefined, JsonObject>,
): boolean {
  if (asked.type !== "question.asked" || asked.content["to"] !== "signal") return true;
  const given = signals.get(content["signal"]);
  const isOfName = given !== undefined && given["name"] === asked.content["signal"];
  return isOfName && digestOf(given["payload"]) === digestOf(content["answer"]);
}

function digestOf(reference: JsonValue | undefined): JsonValue | undefined {
  return (reference as JsonObject | undefined)?.["digest"];
}

interface Asked {
  readonly requests: ReadonlyMap<JsonValue | undefined, Request>;
  readonly editors: ReadonlyMap<JsonValue | undefined, unknown>;
  readonly place: TurnPlace | undefined;
  readonly plans: PlannedFollower;
  readonly starters: readonly string[];
  /** Whose approval is wanted. */
  readonly roles: ReadonlySet<string>;
}

/** The group that a claim is held for, or commits; nothing where it is about none. */
function groupOf({ call, parentCall, content: { held, group } }: RawEvent): string {
  if (held !== undefined) return canonicalize([parentCall ?? "", held]);
  const path = isPlainObject(group) ? (group as JsonObject)["path"] : undefined;
  return path === undefined ? "" : canonicalize([call ?? "", path]);
}

/** Why an action was not let through, or undefined when it was. */
function judgeClaim(event: RawEvent, asking: Asked): FindingCode | undefined {
  const { requests, editors, place, plans, starters, roles } = asking;
  const { approval, key, planned } = event.content;
  const request = requests.get(approval);
  const isAskedFor = (): boolean => editors.has(key);
  if (planned !== undefined)
    return plans.judge(event, {
      ...{ request, roles, starters, isAskedFor: isAskedFor() },
      isExpired: request?.isExpired ?? false,
      isGranted: isStillGranted(event, place),
    });
  if (approval === undefined)
    return isAskedFor() || roles.size > 0 ? "APPROVAL_MISSING" : undefined;
  if (request === undefined || !isFor(request.asked, event)) return "APPROVAL_MISMATCH";
  const { asked, said } = request;
  const state = judgeApproval(asked, said);
  const hasRoles = [...roles].every((role) => role === asked.content["role"]);
  if (state.kind !== "approved" || !hasRoles) return "APPROVAL_MISSING";
  if (request.isUsed) return "APPROVAL_REUSED";
  const isInTime = isUsedInTime(event, asked, state.by.at(-1));
  return isInTime && isStillGranted(event, place) && !request.isExpired
    ? undefined
    : "APPROVAL_EXPIRED";
}

function isUsedInTime(event: RawEvent, asked: RawEvent, last: RawEvent | undefined): boolean {
  const receivedAt = last?.content["receivedAt"] as string;
  return Date.parse(event.at) <= Date.parse(receivedAt) + Number(asked.content["useWithinMs"]);
}

/** An approval does not outlive its grant, or the terms of it. */
function isStillGranted(event: RawEvent, place: TurnPlace | undefined): boolean {
  const ends = [place?.grant?.expiresAt, ...termsOf(event, place).map((term) => term.expiresAt)];
  return ends.every((end) => end === undefined || event.at < end);
}

/** Whose approval the terms want that the action is claimed under. */
function rolesFor(event: RawEvent, place: TurnPlace | undefined): Set<string> {
  return new Set(termsOf(event, place).flatMap(({ approvals }) => approvals));
}

/** The terms that the action is claimed under. */
function termsOf({ content: { terms } }: RawEvent, place: TurnPlace | undefined): readonly Term[] {
  const named = new Set(Array.isArray(terms) ? terms : []);
  return place?.grant?.terms?.filter(({ id }) => named.has(id)) ?? [];
}

/**
 * A person's answer on an unknown claim must be about that very claim, and from a person who may
 * give it.
 */
function mayAnswer(
  { actor, content }: RawEvent,
  claims: ReadonlyMap<JsonValue | undefined, RawEvent>,
): boolean {
  const claim = claims.get(content["claim"]);
  return actor.kind !== "person" || claim === undefined || isBoundTo(claim, { actor, content });
}

/** True for an answer that is bound to the claim, from a person who may give it. */
export function isBoundTo(
  claim: RawEvent,
  { actor, content }: Pick<RawEvent, "actor" | "content">,
): boolean {
  const { role, excluded } = claim.content;
  const { roles, claimHash } = content;
  const hasRole = role === undefined || readTexts(roles).some((held) => held === role);
  return hasRole && claimHash === claim.hash && !readTexts(excluded).includes(actor.id);
}

const messages = {
  APPROVAL_MISSING: "an action is claimed that was to be approved, and was not",
  APPROVAL_MISMATCH: "an action is claimed under an approval that is not for it",
  APPROVAL_EXPIRED: "an action is claimed under an approval that had expired",
  APPROVAL_REUSED: "an approval is used again",
  APPROVAL_VOID: "a decision or an answer is counted that is not valid",
} as const satisfies Partial<Record<FindingCode, string>>;

function faultOf(event: RawEvent, code: FindingCode | undefined): Finding[] {
  return code === undefined ? [] : [fault(event, code)];
}

function fault({ sequence, turn }: RawEvent, code: FindingCode): Finding {
  const message = messages[code as keyof typeof messages];
  return finding(code, message, { sequence, ...(turn === undefined ? {} : { turn }) });
}
