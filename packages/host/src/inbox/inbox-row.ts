/**
 * Reads the sender and the values of a row, and refuses rows: a refusal is recorded and has no
 * effect.
 */
import type { EventDraft } from "@turnseal/kernel";
import type { InboxRow } from "@turnseal/ports";
import {
  type Actor,
  copyJson,
  type Identity,
  isPlainObject,
  isPlainText,
  type JsonObject,
  SIGNAL_NAME_LENGTH_MAX,
  UNKNOWN_PERSON,
  VALUE_BYTES_MAX,
} from "@turnseal/protocol";

export function refused({ kind, key, body, receivedAt }: InboxRow, why: string): EventDraft {
  return {
    type: "signal.received",
    actor: actorOf(body),
    content: { kind: "refused", of: kind, key, receivedAt, why },
  };
}

/** A run that messages one of its children names itself by id; every other sender is a person. */
export function actorOf(body: JsonObject): Actor {
  if (typeof body["run"] === "string") return { kind: "run", id: body["run"] };
  return { kind: "person", id: readIdentity(body).id || UNKNOWN_PERSON };
}

const nobody: Identity = { id: "", roles: [] };

/** The identity that the operator's own function found. An unknown sender has no id and no role. */
export function readIdentity({ by }: JsonObject): Identity {
  if (typeof by === "string") return { id: by, roles: [] };
  if (!isPlainObject(by)) return nobody;
  const { id, roles } = by;
  if (typeof id !== "string" || id === "") return nobody;
  return {
    id,
    roles: Array.isArray(roles) ? roles.filter((role) => typeof role === "string") : [],
  };
}

/** True for a valid value: the row around it may nest deeper. */
export function isValue(value: unknown): boolean {
  return copyJson(value, VALUE_BYTES_MAX).kind === "copied";
}

/** True for a signal with a name that can be kept, and a payload that is a value. */
export function isSignal({ name, payload }: { name: unknown; payload: unknown }): boolean {
  return isSignalName(name) && isValue(payload);
}

/** True for a text that can be the name of a signal: of a row it may be any value. */
export function isSignalName(name: unknown): name is string {
  return isPlainText(name, SIGNAL_NAME_LENGTH_MAX);
}
