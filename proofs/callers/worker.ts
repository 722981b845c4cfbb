/** A process that drives runs of a store which others drive, too. */
import { sqliteStores } from "@turnseal/adapters/sqlite";
import type { Stores } from "@turnseal/ports";
import { openPostgres } from "../graph/make-places.ts";
import { type Got, listen, openDesk } from "./desk.ts";

export interface ToResume {
  readonly number: number;
  readonly run: string;
  readonly afterMs: number;
}

export interface Resumed {
  readonly number: number;
  readonly got: Got;
}

const [kind, place = "", book = ""] = process.argv.slice(2);

async function openStores(): Promise<Stores> {
  return kind === "sqlite" ? sqliteStores({ file: place }) : openPostgres(place);
}

const { host, pay } = await openDesk(await openStores(), book);
process.on("message", ({ number, run, afterMs }: ToResume) => {
  const resume = async (): Promise<void> => {
    const told: Resumed = { number, got: await listen(host.resume(pay, run)) };
    process.send?.(told);
  };
  setTimeout(() => void resume(), afterMs);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
