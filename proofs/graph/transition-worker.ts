/**
 * Appends transitions to a run until it is killed. Before each append it says where the append goes
 * to, and after it that it was answered: on a pipe, so that nothing said is lost with it.
 */
import { writeSync } from "node:fs";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { openPostgres } from "./make-places.ts";
import { openTransitions } from "./open-transitions.ts";

const [store = "", place = "", run = "", seed = ""] = process.argv.slice(2);
const stores = store === "sqlite" ? sqliteStores({ file: place }) : await openPostgres(place);
const transitions = await openTransitions(stores, { run, seed: Number(seed) });
// The parent process may be gone.
process.stdin.on("end", () => process.exit(0)).resume();
for (;;) {
  const append = transitions.next();
  const to = append.events.at(-1)?.sequence ?? 0;
  writeSync(1, `begun ${to}\n`);
  const { kind } = await stores.log.append(append);
  if (kind !== "appended") throw new Error(`an append was answered ${kind}`);
  writeSync(1, `answered ${to}\n`);
}
