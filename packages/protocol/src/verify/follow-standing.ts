/**
 * Follows standing approvals over all turns of a run (spec/approval.md §11.8). Each draw is
 * computed again: the decision, what is left, the time, the person, and the pattern where content
 * is given.
 */
import { listExcluded, readExclude, readTexts } from "../approval/approval.ts";
import { fitsPattern } from "../approval/pattern.ts";
import {
  drawRest,
  hasRest,
  isWithinStanding,
  mayBeStanding,
  nameStanding,
  reservesAll,
  type StandingRest,
} from "../approval/standing.ts";
import { type Amounts, areAmounts } from "../budget/budget.ts";
import { canonicalize, isPlainObject, type JsonObject, type JsonValue } from "../canonical-json.ts";
import { isInstant } from "../instant.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { areStandingTerms, type StandingTerms } from "../policy/standing-terms.ts";
import type { FindingCode } from "./finding.ts";
import type { ReadContent } from "./read-content.ts";

export interface StandingFollower {
  /** Notes a decision that counts; why it cannot stand, if it says so and cannot. */
  give(asked: RawEvent, decided: RawEvent): FindingCode | undefined;
  revoke(event: RawEvent): FindingCode | undefined;
  /** Why a claim may not draw the approval that it names, or undefined when it may. */
  draw(claim: RawEvent, given: DrawGiven): FindingCode | undefined;
}

export interface DrawGiven {
  /** True if its own key has a request. */
  readonly isAskedFor: boolean;
  readonly starters: readonly string[];
  /** Whose approval the terms want that it is claimed under, and whether those still hold. */
  readonly roles: ReadonlySet<string>;
  readonly isGranted: boolean;
}

interface Standing {
  readonly asked: RawEvent;
  readonly decided: RawEvent;
  readonly untilMs: number;
  rest: StandingRest;
  isRevoked: boolean;
}

export function followStanding(read: ReadContent): StandingFollower {
  // Of the whole run, by the sequence number of the decision.
  const all = new Map<JsonValue | undefined, Standing>();
  return {
    give: (asked, decided) => {
      const { standing, pattern, receivedAt } = decided.content;
      if (standing === undefined && pattern === undefined) return undefined;
      if (!areStandingTerms(standing) || !canStand(asked, decided, standing))
        return "APPROVAL_VOID";
      const untilMs = isInstant(receivedAt) ? Date.parse(receivedAt) + standing.withinMs : 0;
      const rest = { usesLeft: standing.uses, ...leftOf(standing.amounts) };
      all.set(decided.sequence, { asked, decided, untilMs, rest, isRevoked: false });
      return undefined;
    },
    revoke: ({ content: { decision, hash } }) => {
      const standing = all.get(decision);
      if (standing === undefined || standing.decided.hash !== hash) return "APPROVAL_VOID";
      standing.isRevoked = true;
      return undefined;
    },
    draw: (claim, given) => {
      const { drawn } = claim.content;
      const named = isPlainObject(drawn) ? (drawn as JsonObject) : {};
      const standing = all.get(named["decision"]);
      if (standing === undefined) return "APPROVAL_MISMATCH";
      const before = standing.rest;
      const reserve = readReserve(claim);
      standing.rest = drawRest(before, reserve);
      const isNamed = canonicalize(named) === canonicalize(nameDraw(standing));
      if (!isNamed || !covers(standing, claim, given) || !fits(standing, claim, read))
        return "APPROVAL_MISMATCH";
      if (!mayApprove(standing, claim, given) || !reservesAll(before.left ?? {}, reserve))
        return "APPROVAL_MISSING";
      if (!hasRest(before, reserve)) return "APPROVAL_REUSED";
      const isInTime = Date.parse(claim.at) <= standing.untilMs && given.isGranted;
      return isInTime && !standing.isRevoked ? undefined : "APPROVAL_EXPIRED";
    },
  };
}

function leftOf(amounts: Amounts | undefined): Pick<StandingRest, "left"> {
  return amounts === undefined ? {} : { left: amounts };
}

function canStand(asked: RawEvent, { content }: RawEvent, given: StandingTerms): boolean {
  const { mayStand } = asked.content;
  return (
    content["choice"] === "approve" &&
    content["pattern"] !== undefined &&
    areStandingTerms(mayStand) &&
    isWithinStanding(given, mayStand)
  );
}

function nameDraw({ decided, rest }: Standing): JsonObject {
  return { decision: decided.sequence, ...rest } as JsonObject;
}

/** True for the plain call of a tool that shares code, declarations and rule with the request. */
function covers({ asked }: Standing, { content }: RawEvent, { isAskedFor }: DrawGiven): boolean {
  return (
    content["approval"] === asked.sequence &&
    !isAskedFor &&
    mayBeStanding(content) &&
    nameStanding(content) === nameStanding(asked.content)
  );
}

/** True when the arguments fit the pattern. Without the content of both, that is not known. */
function fits({ decided }: Standing, { content }: RawEvent, read: ReadContent): boolean {
  const [pattern, request] = [read(decided.content["pattern"]), read(content["request"])];
  return pattern === undefined || request === undefined || fitsPattern(pattern, request);
}

/** True when the person may approve this action, too, and nobody else has to. */
function mayApprove(
  { asked, decided }: Standing,
  { content }: RawEvent,
  { starters, roles }: DrawGiven,
): boolean {
  const named = readTexts(content["excluded"]);
  const meant = listExcluded(readExclude(asked.content), { starters, editors: [] });
  const isNamed = meant?.every((id) => named.includes(id)) ?? false;
  return isNamed && !named.includes(decided.actor.id) && roles.size === 0;
}

function readReserve({ content: { reserve } }: RawEvent): Amounts {
  return areAmounts(reserve) ? reserve : {};
}
