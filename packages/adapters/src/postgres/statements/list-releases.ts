import type { JsonObject } from "@turnseal/protocol";
import { readFlag, readMoment, readObject, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

/** The most releases in a list: releases that are not needed any more should be removed. */
export const RELEASES_LIST_MAX = 200;

export const listReleasesStatement: Statement = {
  name: "list-releases",
  reach: "tenant",
  text: `
    select name, uri, facts, is_draining, registered_at from turnseal.release
     order by name limit ${RELEASES_LIST_MAX}`,
};

export interface RegisteredRelease {
  readonly name: string;
  /** Where its workers are. */
  readonly uri: string;
  /** Its parts. */
  readonly facts: JsonObject;
  readonly isDraining: boolean;
  readonly registeredAt: string;
}

/** Every release that is registered, by name. */
export async function listReleases(
  db: Pick<Database, "query">,
): Promise<readonly RegisteredRelease[]> {
  const rows = await db.query(listReleasesStatement, []);
  return rows.map((row) => ({
    name: readText(row, "name"),
    uri: readText(row, "uri"),
    facts: readObject(row, "facts"),
    isDraining: readFlag(row, "is_draining"),
    registeredAt: readMoment(row, "registered_at"),
  }));
}
