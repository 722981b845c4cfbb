/**
 * Follows the turns of a run: each has at most the run's grant, and the documents that the run
 * pinned.
 */
import { canonicalize, type JsonObject, type JsonValue } from "../canonical-json.ts";
import { compareGrants } from "../grant/compare-grants.ts";
import { type Grant, readGrant } from "../grant/grant.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { type Finding, type FindingPlace, finding } from "./finding.ts";

/** The turn that an event stands in. */
export interface TurnPlace {
  readonly turn: number;
  /** The sequence number of `turn.started`. */
  readonly first: number;
  readonly startedAt: string;
  /** Undefined when it cannot be read: then it allows nothing. */
  readonly grant: Grant | undefined;
  /** True if a run and those that it hands to have one sum (spec/run.md §10.8). */
  readonly countsFamily: boolean;
}

/** The first semantics with that rule. */
const FAMILY_SEMANTICS = 6;

export interface TurnFollower {
  /** The turn of the event that was followed last; undefined between turns. */
  place(): TurnPlace | undefined;
  follow(event: RawEvent): Finding[];
}

export function followTurns(): TurnFollower {
  let runGrant: Grant | undefined;
  let pinned: JsonValue[] = [];
  let place: TurnPlace | undefined;
  let isClosed = true;
  const count = countTurns();

  const start = (event: RawEvent): Finding[] => {
    const { sequence, at, content, turn = 0 } = event;
    const grant = readGrant(content["grant"]);
    const countsFamily = Number(content["semantics"]) >= FAMILY_SEMANTICS;
    place = { turn, first: sequence, startedAt: at, grant, countsFamily };
    isClosed = false;
    const isAllowed =
      grant !== undefined &&
      runGrant !== undefined &&
      compareGrants(grant, runGrant).kind === "within";
    return [
      ...(isAllowed
        ? []
        : [finding("GRANT_WIDENED", "the turn may do more than its run", placeOf(event))]),
      ...(beginsWith(content["guidance"], pinned) ? [] : [misguided(event)]),
    ];
  };

  return {
    place: () => place,
    follow: (event) => {
      if (isClosed) place = undefined;
      const excess = count(event);
      if (event.type === "run.started") {
        const { grant, guidance } = readSpec(event);
        [runGrant, pinned] = [readGrant(grant), Array.isArray(guidance) ? guidance : []];
      }
      if (event.type === "turn.started") return [...start(event), ...excess];
      if (event.type === "turn.closed") isClosed = true;
      return [];
    },
  };
}

/** Holds the turns that certainly count against the bound of the run (spec/receipt.md §6.6). */
function countTurns(): (event: RawEvent) => Finding[] {
  let turnsMax = Number.POSITIVE_INFINITY;
  let [counted, hasFailedRequest] = [0, false];
  return (event) => {
    const { type, content } = event;
    if (type === "run.started") turnsMax = readTurnsMax(event) ?? turnsMax;
    if (type === "action.settled" && content["action"] === "model")
      hasFailedRequest ||= isFailure(content["status"]);
    // A provider that was away is waited for, and the turn does not count.
    if (type === "turn.closed" && !(hasFailedRequest && isFailure(content["outcome"])))
      counted += 1;
    if (type !== "turn.started") return [];
    hasFailedRequest = false;
    if (counted < turnsMax) return [];
    const message = "the run starts more turns than its bounds allow";
    return [finding("BUDGET_EXCEEDED", message, placeOf(event))];
  };
}

function isFailure(end: JsonValue | undefined): boolean {
  return end === "failed" || end === "timed-out";
}

function readTurnsMax(event: RawEvent): number | undefined {
  const { bounds } = readSpec(event);
  const turnsMax = isObject(bounds) ? bounds["turnsMax"] : undefined;
  return typeof turnsMax === "number" ? turnsMax : undefined;
}

function placeOf({ sequence, turn }: RawEvent): FindingPlace {
  return { sequence, ...(turn === undefined ? {} : { turn }) };
}

function readSpec({ content: { spec } }: RawEvent): JsonObject {
  return isObject(spec) ? spec : {};
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True if the documents of a turn begin with the pinned ones, unchanged. */
function beginsWith(given: JsonValue | undefined, pinned: readonly JsonValue[]): boolean {
  if (pinned.length === 0) return true;
  const documents = Array.isArray(given) ? given.slice(0, pinned.length) : [];
  return canonicalize(documents.map(describe)) === canonicalize(pinned.map(describe));
}

function describe(document: JsonValue): JsonValue {
  const { digest = null, size = null, mediaType = null } = isObject(document) ? document : {};
  return { digest, size, mediaType };
}

function misguided(event: RawEvent): Finding {
  const message = "the turn has other documents than its run pinned";
  return finding("GUIDANCE_MISMATCH", message, placeOf(event));
}
