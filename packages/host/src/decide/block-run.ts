import type { Actor, Block } from "@turnseal/protocol";
import type { HeldRun } from "../held-run.ts";
import type { Advanced } from "./advanced.ts";
import { dues } from "./dues.ts";

const host: Actor = { kind: "host", id: "host" };

/** Leaves the run to whoever has what is missing here. That it is missing is said once. */
export async function blockRun(
  { appender, projection }: HeldRun,
  { cause, what }: Block,
): Promise<Advanced> {
  const { blocked, openTurn } = projection();
  if (blocked?.cause !== cause || blocked.what !== what) {
    const turn = openTurn === null ? {} : { turn: openTurn.turn };
    appender.push(() => ({ type: "run.blocked", actor: host, ...turn, content: { cause, what } }));
  }
  await appender.flush();
  const sinceMs = Date.parse(projection().blocked?.at ?? "");
  const owed = dues(projection());
  const limit = "atMs" in owed && owed.atMs !== undefined ? { atMs: owed.atMs } : {};
  return {
    dues: { kind: "blocked", why: cause, what, sinceMs, ...limit },
    projection: projection(),
  };
}
