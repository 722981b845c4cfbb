/**
 * Follows what each call may do (spec/receipt.md §6.6): a call has its own grant, its parent's, or
 * the turn's. So has a run that is handed to: its grant is a part of the call's.
 *
 * A narrower grant is compared with the grant that it is a part of, and its proof is computed
 * again.
 */
import { type Amounts, areAmounts, listUnits } from "../budget/budget.ts";
import { checkProof } from "../grant/attenuate.ts";
import { type Grant, HANDOFF_DEPTH_DEFAULT, readGrant } from "../grant/grant.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { type Finding, type FindingPlace, finding } from "./finding.ts";
import type { TurnPlace } from "./follow-turns.ts";

export interface GrantFollower {
  /** The turn of an event, with the grant that its call is under. */
  place(event: RawEvent, place: TurnPlace | undefined): TurnPlace | undefined;
  follow(event: RawEvent, place: TurnPlace | undefined): Finding[];
}

export function followGrants(): GrantFollower {
  // A grant that cannot be read is kept as undefined: the call may do nothing.
  let grants = new Map<string, Grant | undefined>();
  const grantOf = (call: string | undefined, place: TurnPlace | undefined): Grant | undefined =>
    call === undefined ? place?.grant : grants.get(call);

  return {
    place: ({ call }, place) =>
      place === undefined ? undefined : { ...place, grant: grantOf(call, place) },
    follow: (event, place) => {
      if (event.type === "turn.started") grants = new Map();
      const { call = "", parentCall, content } = event;
      if (event.type === "action.claimed" && content["action"] === "handoff")
        return judgeSlice(event, grantOf(event.call, place), place?.countsFamily === true);
      if (event.type !== "call.started") return [];
      const above = grantOf(parentCall, place);
      const isNarrowed = content["grant"] !== undefined || content["proof"] !== undefined;
      const own = content["grant"] === undefined ? above : readGrant(content["grant"]);
      // The grant of a call is recorded once.
      if (!grants.has(call)) grants.set(call, own);
      return isNarrowed ? judgeGrant(event, own, above) : [];
    },
  };
}

function judgeGrant(event: RawEvent, own: Grant | undefined, above: Grant | undefined): Finding[] {
  if (own === undefined || above === undefined) return [widened(event)];
  const { grant, proof } = event.content;
  const verdict = grant === undefined ? undefined : checkProof(proof, own, above);
  if (verdict?.kind === "proven") return [];
  return [verdict?.kind === "wider" ? widened(event) : forged(event)];
}

/**
 * A run that is handed to has a level less, and all that it may spend is reserved, also of what is
 * counted by period.
 */
function judgeSlice(event: RawEvent, above: Grant | undefined, countsFamily: boolean): Finding[] {
  const slice = readGrant(event.content["grant"]);
  const findings = judgeGrant(event, slice, above);
  if (findings.length > 0 || slice === undefined || above === undefined) return findings;
  const { reserve: stated } = event.content;
  // A value that is no amount reserves nothing.
  const reserve: Amounts = areAmounts(stated) ? stated : {};
  const isReserved = listUnits(slice.budget).every(
    (unit) => (reserve[unit] ?? 0) >= (slice.budget[unit] ?? 0),
  );
  // The handoff itself is one more than all that the slice allows.
  const isCounted = (reserve.handoffs ?? 0) > (slice.budget.handoffs ?? 0);
  const isLower = levelsOf(slice) < levelsOf(above);
  const counted = countsFamily ? listUnits(...Object.values(above.perPeriod ?? {})) : [];
  const isCapped = counted.every((unit) => slice.budget[unit] !== undefined);
  return isReserved && isCounted && isLower && isCapped ? [] : [widened(event)];
}

function levelsOf({ depth = HANDOFF_DEPTH_DEFAULT }: Grant): number {
  return depth;
}

function widened(event: RawEvent): Finding {
  return finding("GRANT_WIDENED", "more is granted on than there was", placeOf(event));
}

function forged(event: RawEvent): Finding {
  return finding("PROOF_FORGED", "a proof is not what comparing gives", placeOf(event));
}

function placeOf({ sequence, turn }: RawEvent): FindingPlace {
  return { sequence, ...(turn === undefined ? {} : { turn }) };
}
