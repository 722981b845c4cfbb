/**
 * Follows every claim to its end (spec/receipt.md §6.5, §6.6).
 *
 * 1. A tool is claimed under a term of its call's grant, and only while grant and terms hold.
 * 2. A key is claimed again only after a resolution that leaves room for it.
 * 3. An end names the claim it ends, with the same key and reservation, and each claim ends once.
 *    That of a run which was handed to names its receipt.
 */
import { canonicalize, type JsonObject, type JsonValue } from "../canonical-json.ts";
import { type Grant, HANDOFF_DEPTH_DEFAULT } from "../grant/grant.ts";
import { areNamedNeeds } from "../grant/needs.ts";
import { coversName } from "../grant/term.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { keepsReservation, mayResolve } from "../resolutions.ts";
import { type Finding, type FindingCode, finding } from "./finding.ts";
import type { TurnPlace } from "./follow-turns.ts";

export interface EffectFollower {
  follow(event: RawEvent, place: TurnPlace | undefined): Finding[];
}

/** The latest claim of a key. */
interface KnownClaim {
  readonly sequence: number;
  readonly reserve: string;
  /** The periods that it is counted in, where there are caps for some. */
  readonly periods: string;
  readonly action: unknown;
  readonly effect: unknown;
  /** The action, as a text: a claim that replaces it has the same. */
  readonly deed: string;
  readonly state: "open" | "ended" | "again" | "orphaned";
}

export function followEffects(): EffectFollower {
  // Keys hold the number of their turn, so that what is known of one turn can be forgotten with it.
  let claims = new Map<string, KnownClaim>();
  let validatedAt = new Map<string, string>();
  const end = (event: RawEvent): Finding[] => {
    const key = keyOf(event);
    const claim = claims.get(key);
    if (!isOpenClaim(claim, event)) return [fault(event, "EFFECT_WITHOUT_CLAIM")];
    const state = stateAfter(event);
    claims.set(key, { ...claim, state });
    if (event.type === "action.settled")
      return isSealedEnd(claim, event) ? [] : [fault(event, "HANDOFF_UNSEALED")];
    return isLawfulResolution(claim, event) ? [] : [fault(event, "EFFECT_REPEATED")];
  };
  return {
    follow: (event, place) => {
      switch (event.type) {
        case "turn.started":
          [claims, validatedAt] = [new Map(), new Map()];
          return [];
        case "call.input.validated":
          validatedAt.set(event.call ?? "", event.at);
          return [];
        case "action.claimed": {
          const findings = checkClaim(event, claims.get(keyOf(event)));
          claims.set(keyOf(event), openClaim(event));
          const isGranted = isWithinGrant(event, place, validatedAt.get(event.call ?? ""));
          return isGranted ? findings : [...findings, fault(event, "EFFECT_WITHOUT_GRANT")];
        }
        case "action.settled":
        case "action.resolved":
          return end(event);
        default:
          return [];
      }
    },
  };
}

function keyOf({ content: { key } }: RawEvent): string {
  return typeof key === "string" ? key : "";
}

function openClaim({ sequence, content }: RawEvent): KnownClaim {
  const { reserve = {}, periods = {} } = content;
  return {
    sequence,
    reserve: canonicalize(reserve),
    periods: canonicalize(periods),
    action: content["action"],
    effect: content["effect"],
    deed: describeDeed(content),
    state: "open",
  };
}

/** The build is not in it: what a tool does inside is its own affair (spec/run.md §7.5). */
const deedFields = [
  ...["action", "digest", "effect", "tool", "term", "terms", "needs", "root", "target", "child"],
  ...["takesBack", "request"],
];

function describeDeed(content: JsonObject): string {
  return canonicalize(deedFields.map((name) => content[name] ?? null));
}

/** A key is new, or it replaces a claim whose resolution leaves room. */
function checkClaim(event: RawEvent, known: KnownClaim | undefined): Finding[] {
  const { supersedes, reserve = {}, periods = {} } = event.content;
  if (supersedes === undefined) {
    const isFree = known === undefined || known.state === "orphaned";
    return isFree ? [] : [fault(event, "EFFECT_REPEATED")];
  }
  const takesPlace =
    known?.state === "again" &&
    known.sequence === supersedes &&
    known.periods === canonicalize(periods) &&
    known.deed === describeDeed(event.content) &&
    known.reserve === canonicalize(reserve);
  return takesPlace ? [] : [fault(event, "EFFECT_REPEATED")];
}

function isWithinGrant(
  { content: { action, tool, term, terms, needs, target, child } }: RawEvent,
  place: TurnPlace | undefined,
  validatedAt: string | undefined,
): boolean {
  const grant = place?.grant;
  if (place === undefined || grant === undefined) return false;
  // A tool is admitted once its call's input is validated, anything else with the turn.
  const judgedAt = action === "tool" ? validatedAt : place.startedAt;
  const isInTime =
    judgedAt !== undefined && (grant.expiresAt === undefined || judgedAt < grant.expiresAt);
  if (!isInTime || !areTermsOf(grant, terms, judgedAt)) return false;
  if (!coverNeeds(grant, terms, needs)) return false;
  if (action === "handoff") return typeof child === "string" && mayHandOff(grant, target);
  // Only who hands over starts a run.
  if (child !== undefined) return false;
  if (action !== "tool") return true;
  return typeof tool === "string" && term === tool && grant.tools.includes(tool);
}

/** The grant allows a handoff to this loop, with a level left. */
function mayHandOff(
  { handoffs = [], depth = HANDOFF_DEPTH_DEFAULT }: Grant,
  target: unknown,
): boolean {
  return typeof target === "string" && handoffs.includes(target) && depth > 0;
}

/** The terms that a claim names are the grant's, and hold. */
function areTermsOf(grant: Grant, terms: JsonValue | undefined, judgedAt: string): boolean {
  if (terms === undefined) return true;
  if (!Array.isArray(terms)) return false;
  return terms.every((id: JsonValue) => {
    const term = grant.terms?.find((other) => other.id === id);
    return term !== undefined && (term.expiresAt === undefined || judgedAt < term.expiresAt);
  });
}

/** The terms that a claim names cover all needs of the tool. */
function coverNeeds(
  grant: Grant,
  terms: JsonValue | undefined,
  needs: JsonValue | undefined,
): boolean {
  if (needs === undefined) return true;
  const named = new Set(Array.isArray(terms) ? terms : []);
  const used = (grant.terms ?? []).filter(({ id }) => named.has(id));
  return areNamedNeeds(needs) && needs.every((need) => used.some((term) => coversName(term, need)));
}

function isOpenClaim(
  claim: KnownClaim | undefined,
  { type, content: { claim: named, reserve = {}, periods = {} } }: RawEvent,
): claim is KnownClaim {
  return (
    claim?.state === "open" &&
    claim.sequence === named &&
    claim.reserve === canonicalize(reserve) &&
    // A resolution moves nothing from one period to another.
    (type !== "action.settled" || claim.periods === canonicalize(periods))
  );
}

function stateAfter({ type, content: { resolution } }: RawEvent): KnownClaim["state"] {
  if (type === "action.settled") return "ended";
  if (resolution === "orphaned") return "orphaned";
  return keepsReservation(resolution) ? "again" : "ended";
}

/** For a run that was handed to, only its receipt proves its end. */
function isSealedEnd({ action }: KnownClaim, { content: { receipt } }: RawEvent): boolean {
  return action !== "handoff" || typeof receipt === "string";
}

function isLawfulResolution({ effect }: KnownClaim, { content, actor }: RawEvent): boolean {
  return mayResolve(content["resolution"], { effect, by: actor.kind });
}

const messages: Readonly<Partial<Record<FindingCode, string>>> = {
  EFFECT_WITHOUT_CLAIM: "an action ends that was not claimed so, or has ended already",
  EFFECT_WITHOUT_GRANT: "an action is claimed that the grant does not allow",
  EFFECT_REPEATED: "an action is done again without leave",
  HANDOFF_UNSEALED: "a run was handed to, and ended without a receipt",
};

function fault(
  event: Pick<RawEvent, "sequence" | "turn"> & { readonly content: JsonObject },
  code: "EFFECT_WITHOUT_CLAIM" | "EFFECT_WITHOUT_GRANT" | "EFFECT_REPEATED" | "HANDOFF_UNSEALED",
): Finding {
  const { sequence, turn } = event;
  return finding(code, messages[code] ?? code, {
    sequence,
    ...(turn === undefined ? {} : { turn }),
  });
}
