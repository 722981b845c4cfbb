/** What keeps a turn from beginning although this worker has all that it needs. */
import { type Block, listBackends, priceTokens } from "@turnseal/protocol";
import type { HeldRun } from "../held-run.ts";

/** Asked as often as need be, and answered once: what is asked for may be taken by it. */
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

/** What the run's prompts may ask, as prices name it. */
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
