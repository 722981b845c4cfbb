/** Finds the limit that keeps a turn from beginning on a worker that has everything for it. */
import { type Block, listBackends, priceTokens } from "@turnseal/protocol";
import type { HeldRun } from "../state/held-run.ts";

/** Called as often as needed, and computed once: the check itself may take a place. */
export type FindLimit = () => Promise<Block | undefined>;

export function askLimitOnce(held: HeldRun): FindLimit {
  let answer: Promise<Block | undefined> | undefined;
  return () => {
    answer ??= findLimit(held);
    return answer;
  };
}

async function findLimit(held: HeldRun): Promise<Block | undefined> {
  const { projection, turnLimits } = held;
  if (turnLimits === undefined) return undefined;
  const { turns, blocked } = projection();
  const reached = await turnLimits.find({
    isFirst: turns === 0,
    waited: blocked?.cause === "limited" ? toReached(blocked) : undefined,
    findUnpriced: () => findUnpriced(held),
  });
  if (reached === undefined) return undefined;
  const { what, untilMs } = reached;
  const until = untilMs === undefined ? {} : { until: new Date(untilMs).toISOString() };
  return { cause: "limited", what, ...until };
}

function toReached({ what, until }: Block) {
  return { what, ...(until === undefined ? {} : { untilMs: Date.parse(until) }) };
}

/** Returns the first model of the run's prompts without a price, by its name in the price table. */
function findUnpriced({ projection, registry, models, prices }: HeldRun): string | undefined {
  for (const { id, version } of Object.values(projection().spec?.pinned ?? {})) {
    const definition = registry.resolve(id, version)?.definition;
    if (definition?.kind !== "prompt") continue;
    for (const { id: backend, model } of listBackends(definition)) {
      const name = `${backend}/${model ?? models.get(backend)?.defaultModel ?? "scripted"}`;
      if (prices === undefined || priceTokens(prices, name, {}) === undefined) return name;
    }
  }
  return undefined;
}
