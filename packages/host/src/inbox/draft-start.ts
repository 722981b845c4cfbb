/**
 * Takes in what starts a run. Whoever reaches the inbox may have written the row by hand: a start
 * that cannot be read starts nothing, so that the run never carries what it would fall over.
 */
import type { EventDraft } from "@turnseal/kernel";
import type { InboxRow } from "@turnseal/ports";
import {
  type Actor,
  isPlainObject,
  isPlainText,
  type JsonObject,
  type JsonValue,
  parseBounds,
  parseGrant,
  type RunSpec,
} from "@turnseal/protocol";
import type { RunProjection } from "../projection/run-projection.ts";
import { isValue, refused } from "./inbox-row.ts";

/** UTF-16 units of the name of who, or what, starts a run. */
export const STARTER_LENGTH_MAX = 128;

const host: Actor = { kind: "host", id: "host" };

export function draftStart(row: InboxRow, run: RunProjection): EventDraft {
  if (run.spec !== null) return refused(row, "the run has started already");
  const { spec = null, input = null, policy, guidance, by, source } = row.body;
  if (!isSpec(spec) || !isValue(input)) return refused(row, "start-unreadable");
  if (!isNameOrAbsent(by) || !isNameOrAbsent(source)) return refused(row, "start-unreadable");
  return {
    type: "run.started",
    actor: starterOf(row.body),
    content: { key: row.key, spec, ...(source === undefined ? {} : { source: String(source) }) },
    attached: {
      input,
      ...(policy === undefined ? {} : { policy }),
      ...(guidance === undefined ? {} : { guidance }),
    },
  };
}

/** Who starts the run: a person, the run that hands to it, or the host where nobody is named. */
function starterOf({ by, spec }: JsonObject): Actor {
  const parent = isPlainObject(spec) ? spec["parent"] : undefined;
  if (isPlainObject(parent)) return { kind: "run", id: String(parent["run"]) };
  return typeof by === "string" ? { kind: "person", id: by } : host;
}

export function isNameOrAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || isPlainText(value, STARTER_LENGTH_MAX);
}

/** True for what a run can be carried by: every field that is read of it is what it must be. */
function isSpec(spec: unknown): spec is RunSpec {
  if (!isPlainObject(spec)) return false;
  const { loop, version, pinned, bounds, policy, guidance, parent, starters } = spec;
  return (
    hasTexts({ loop, version }, ["loop", "version"]) &&
    isPlainObject(pinned) &&
    Object.values(pinned).every((pin) => hasTexts(pin, ["id", "version", "digest"])) &&
    // Whether `*` may be given was decided by whoever wrote the start.
    !("problem" in parseGrant(spec["grant"], { isFirstParty: true })) &&
    isPlainObject(bounds) &&
    !("problem" in parseBounds(bounds)) &&
    (policy === undefined || hasTexts(policy, ["name", "digest"])) &&
    (guidance === undefined || isListOf(guidance, (item) => hasTexts(item, ["ref", "digest"]))) &&
    (parent === undefined || isParent(parent)) &&
    (starters === undefined || isListOf(starters, (id) => typeof id === "string"))
  );
}

function isParent(parent: unknown): boolean {
  if (!isPlainObject(parent) || !hasTexts(parent, ["run", "hash"])) return false;
  return [parent["turn"], parent["sequence"]].every((count) => Number.isSafeInteger(count));
}

function isListOf(value: unknown, isGood: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isGood);
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  return isPlainObject(value) && names.every((name) => typeof value[name] === "string");
}
