/**
 * Follows the files that a run manages (spec/receipt.md §6.6): changes go on from what was managed
 * before, and those of a tool are under the root that its claim names.
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
          const root = isPlainObject(artifacts) ? artifacts["root"] : undefined;
          return change(event, artifacts, typeof root === "string" && roots.get(key) === root);
        }
        default:
          return [];
      }
    },
  };
}

/** What names a page; nothing names nothing. */
function digestOf(reference: JsonValue | undefined): string {
  const digest = isPlainObject(reference) ? reference["digest"] : undefined;
  return typeof digest === "string" ? digest : "";
}

function mismatch({ sequence, turn }: RawEvent): Finding {
  return finding(
    "ARTIFACT_MISMATCH",
    "changes of files do not go on from what was managed, or are of a root that was not claimed",
    { sequence, ...(turn === undefined ? {} : { turn }) },
  );
}
