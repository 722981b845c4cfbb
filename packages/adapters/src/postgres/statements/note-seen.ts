import type { JsonObject } from "@turnseal/protocol";
import type { Database, Statement } from "../open-database.ts";

export const noteSeenStatement: Statement = {
  name: "note-seen",
  reach: "tenant",
  text: "select turnseal.note_seen($1, $2, $3::json) as is_new",
};

/** A policy or key of a worker, for the log of the deployment. */
export interface SeenByWorker {
  readonly kind: "policy" | "key";
  /** Its digest, or its id. */
  readonly name: string;
  readonly facts: JsonObject;
}

export async function noteSeen(
  db: Pick<Database, "query">,
  { kind, name, facts }: SeenByWorker,
): Promise<void> {
  await db.query(noteSeenStatement, [kind, name, JSON.stringify(facts)]);
}
