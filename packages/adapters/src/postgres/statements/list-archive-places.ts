import { readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

/** How many one statement answers. */
export const PLACES_LIST_MAX = 100;

export const listArchivePlacesStatement: Statement = {
  name: "list-archive-places",
  reach: "tenant",
  text: `
    select place from turnseal.archive_place
     where tenant = $1 and place > $2 order by place limit ${PLACES_LIST_MAX}`,
};

/** Every place where runs of a tenant may be. */
export async function listArchivePlaces(
  db: Database,
  tenant: string = db.tenant,
): Promise<readonly string[]> {
  const places: string[] = [];
  for (;;) {
    const rows = await db.query(listArchivePlacesStatement, [tenant, places.at(-1) ?? ""]);
    places.push(...rows.map((row) => readText(row, "place")));
    if (rows.length < PLACES_LIST_MAX) return places;
  }
}
