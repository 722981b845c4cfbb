/** The tokens of each model request of a run, as a fold of its events. */
import {
  type Amounts,
  type ContentOf,
  type LoopEvent,
  nameAction,
  type TokenCounts,
} from "@turnseal/protocol";

export interface ModelUse {
  readonly at: string;
  /** `backend/model`, as prices name it. */
  readonly model: string;
  readonly tokens: TokenCounts;
}

/**
 * Returns the usage of each request that has ended; undefined for other events. Without the
 * provider's own counts, it is the amount that the run was charged.
 */
export function followUsage(): (event: LoopEvent) => ModelUse | undefined {
  const asked = new Map<number, { readonly model: string; readonly reserve: Amounts }>();
  return (event) => {
    if (event.type === "turn.closed") asked.clear();
    if (event.type === "action.claimed" && event.content.action === "model")
      asked.set(event.sequence, {
        model: nameAction(event.content),
        reserve: event.content.reserve,
      });
    if (event.type !== "action.settled" && event.type !== "action.unknown") return undefined;
    const claimed = asked.get(event.content.claim);
    asked.delete(event.content.claim);
    if (claimed === undefined) return undefined;
    const { model, reserve } = claimed;
    const tokens = event.type === "action.settled" ? tokensOf(event.content) : pick(reserve);
    return { at: event.at, model, tokens };
  };
}

function tokensOf(settled: ContentOf<"action.settled">): TokenCounts {
  if (settled.action !== "model") return pick(settled.spent);
  const { spent, cacheReadTokens, cacheWriteTokens, reasoningTokens } = settled;
  return {
    ...pick(spent),
    ...(cacheReadTokens === undefined ? {} : { cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}

function pick({ inputTokens = 0, outputTokens = 0 }: Amounts): TokenCounts {
  return { inputTokens, outputTokens };
}
