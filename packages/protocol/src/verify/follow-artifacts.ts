/**
 * Follows the files that a run manages (spec/receipt.md §6.6). Changes start from the state before.
 * The changes of a tool are under the root that its claim names, and reconciliations come from a
 * person.
 */
import { isPlainObject, type JsonValue } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { type Finding, finding } from "./finding.ts";

export interface ArtifactFollower {
  follow(event: RawEvent): Finding[];
}

export function followArtifacts(): ArtifactFollower {
  const managed = new Map<string, string>();
  let roots = new Map<string, JsonValue>();
  const change = (event: RawEvent, changes: JsonValue | undefined, isOwn: boolean): Finding[] => {
    const { root, before, after } = isPlainObject(changes) ? changes : {};
    const name = typeof root === "string" ? root : "";
    const isNext = digestOf(before) === (managed.get(name) ?? "");
    managed.set(name, digestOf(after));
    return isOwn && isNext ? [] : [mismatch(event)];
  };
  return {
    follow: (event) => {
      const { type, content } = event;
      const key = typeof content["key"] === "string" ? content["key"] : "";
      switch (type) {
        case "turn.started":
          roots = new Map();
          return [];
        case "action.claimed":
          roots.set(key, content["root"] ?? null);
          return [];
        case "action.settled": {
          const { artifacts } = content;
          if (artifacts === undefined) return [];
          return change(event, artifacts, isUnder(roots.get(key), artifacts));
        }
        case "drift.reconciled": {
          const { artifacts, root } = content;
          if (artifacts === undefined) return isPerson(event) ? [] : [mismatch(event)];
          return change(event, artifacts, isPerson(event) && isUnder(root, artifacts));
        }
        case "artifact.adopted": {
          const { artifacts = null } = content;
          const root = isPlainObject(artifacts) ? artifacts["root"] : undefined;
          return change(event, artifacts, isPerson(event) && isUnder(root, artifacts));
        }
        default:
          return [];
      }
    },
  };
}

/** Only a person may decide which side wins. */
function isPerson({ actor }: RawEvent): boolean {
  return actor.kind === "person" && actor.id !== "";
}

/** True for changes under this very root, both of them texts. */
function isUnder(root: JsonValue | undefined, changes: JsonValue): boolean {
  return isPlainObject(changes) && typeof root === "string" && changes["root"] === root;
}

/** The digest of a page; empty without one. */
function digestOf(reference: JsonValue | undefined): string {
  const digest = isPlainObject(reference) ? reference["digest"] : undefined;
  return typeof digest === "string" ? digest : "";
}

function mismatch({ sequence, turn }: RawEvent): Finding {
  return finding(
    "ARTIFACT_MISMATCH",
    "changes of files do not go on from what was managed, or their maker may not make them",
    { sequence, ...(turn === undefined ? {} : { turn }) },
  );
}
