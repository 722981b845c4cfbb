import type { Actor, Block, BlockCause } from "@turnseal/protocol";
import type { HeldRun } from "../state/held-run.ts";
import type { Advanced, Leaving } from "./advanced.ts";
import { dues } from "./dues.ts";

const host: Actor = { kind: "host", id: "host" };

/** Causes that another release may not have. An expired key and an error are not among them. */
const LACKS: ReadonlySet<BlockCause> = new Set([
  "loop-missing",
  "loop-changed",
  "tool-missing",
  "unspoken",
]);

/** Leaves the run to a worker that has the missing part: at once, or as blocked. */
export async function leaveRun(
  held: HeldRun,
  block: Block,
  { findElsewhere, away }: Leaving,
): Promise<Advanced> {
  const { appender, projection } = held;
  const isLack = LACKS.has(block.cause);
  if (isLack && away !== undefined) return blockRun(held, { cause: "release-away", what: away });
  const release = isLack ? await findElsewhere?.(projection()) : undefined;
  if (release === undefined) return blockRun(held, block);
  await appender.flush();
  const elsewhere = { release, epoch: appender.epoch };
  return {
    dues: { kind: "blocked", why: block.cause, what: block.what, elsewhere },
    projection: projection(),
  };
}

/** A lack is recorded once. */
export async function blockRun(
  { appender, projection }: HeldRun,
  { cause, what, until }: Block,
): Promise<Advanced> {
  const { blocked, openTurn } = projection();
  if (blocked?.cause !== cause || blocked.what !== what || blocked.until !== until) {
    const turn = openTurn === null ? {} : { turn: openTurn.turn };
    const content = { cause, what, ...(until === undefined ? {} : { until }) };
    appender.push(() => ({ type: "run.blocked", actor: host, ...turn, content }));
  }
  await appender.flush();
  const sinceMs = Date.parse(projection().blocked?.at ?? "");
  const owed = dues(projection());
  const owedMs = "atMs" in owed ? owed.atMs : undefined;
  const atMs = until === undefined ? owedMs : Date.parse(until);
  const limit = atMs === undefined ? {} : { atMs };
  return {
    dues: { kind: "blocked", why: cause, what, sinceMs, ...limit },
    projection: projection(),
  };
}
