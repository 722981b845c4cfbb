/** What a row says of who sent it, and how a row is refused: recorded, and without effect. */
import type { EventDraft } from "@turnseal/kernel";
import type { InboxRow } from "@turnseal/ports";
import { type Actor, type Identity, isPlainObject, type JsonObject } from "@turnseal/protocol";

export function refused({ kind, key, body, receivedAt }: InboxRow, why: string): EventDraft {
  return {
    type: "signal.received",
    actor: actorOf(body),
    content: { kind: "refused", of: kind, key, receivedAt, why },
  };
}

export function actorOf(body: JsonObject): Actor {
  return { kind: "person", id: readIdentity(body).id || "unknown" };
}

const nobody: Identity = { id: "", roles: [] };

/** Whoever the operator's own function said it is. Nobody has no id and no role. */
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
