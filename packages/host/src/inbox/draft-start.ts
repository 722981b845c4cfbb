/**
 * Takes in what starts a run. A row of the inbox may be forged: a start that cannot be read starts
 * nothing, so that it cannot break the run later.
 */

import type { RunProjection } from "@turnseal/folds";
import type { CopiedThreads, EventDraft } from "@turnseal/kernel";
import type { InboxRow } from "@turnseal/ports";
import {
  type Actor,
  areAmounts,
  isPlainObject,
  isPlainText,
  type JsonObject,
  type JsonValue,
  parseBounds,
  parseGrant,
  type RunSpec,
  textOf,
} from "@turnseal/protocol";
import { hasFields, isListOf, isText, isWhole } from "@turnseal/protocol/shape";
import { isValue, refused } from "./inbox-row.ts";

/** UTF-16 units of the name of who, or what, starts a run. */
export const STARTER_LENGTH_MAX = 128;

const host: Actor = { kind: "host", id: "host" };

export function draftStart(
  row: InboxRow,
  run: RunProjection,
  { threads, blobs }: CopiedThreads,
): EventDraft {
  if (run.spec !== null) return refused(row, "the run has started already");
  const { spec = null, input = null, policy, guidance, definitions, by, source } = row.body;
  if (!isSpec(spec) || !isValue(input)) return refused(row, "start-unreadable");
  if (!isNameOrAbsent(by) || !isNameOrAbsent(source)) return refused(row, "start-unreadable");
  return {
    type: "run.started",
    actor: starterOf(row.body),
    content: {
      ...{ key: row.key, spec },
      ...(source === undefined ? {} : { source: textOf(source) }),
      ...(threads.length === 0 ? {} : { threads }),
    },
    blobs,
    attached: {
      input,
      ...(policy === undefined ? {} : { policy }),
      ...(guidance === undefined ? {} : { guidance }),
      ...(definitions === undefined ? {} : { definitions }),
    },
  };
}

/**
 * The starter of the run: a person, the run that hands to it, or the host if no person is named.
 */
function starterOf({ by, spec }: JsonObject): Actor {
  const parent = isPlainObject(spec) ? spec["parent"] : undefined;
  if (isPlainObject(parent)) return { kind: "run", id: textOf(parent["run"]) };
  return typeof by === "string" ? { kind: "person", id: by } : host;
}

export function isNameOrAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || isPlainText(value, STARTER_LENGTH_MAX);
}

const hasSpecFields = hasFields(
  {
    loop: isText,
    version: isText,
    pinned: isPlainObject,
    // The author of the start decided whether it may grant `*`.
    grant: (value) => !("problem" in parseGrant(value, { isFirstParty: true })),
    bounds: (value) => !("problem" in parseBounds(value)),
  },
  {
    policy: hasFields({ name: isText, digest: isText }),
    guidance: isListOf(hasFields({ ref: isText, digest: isText })),
    parent: hasFields({ run: isText, hash: isText, turn: isWhole, sequence: isWhole }),
    committed: areAmounts,
    starters: isListOf(isText),
    forkedFrom: hasFields({ run: isText, turn: isWhole }, { receipt: isText }),
  },
);
const isPin = hasFields({ id: isText, version: isText, digest: isText });

/** True for a valid specification of a run: every field that is read has its type. */
export function isSpec(spec: unknown): spec is RunSpec {
  return hasSpecFields(spec) && Object.values(spec.pinned).every(isPin);
}
