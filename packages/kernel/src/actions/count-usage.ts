/**
 * The cost of a model request: reserved before, counted after.
 *
 * A count that the provider left out, or that is zero where something was read or written, is
 * unknown. Unknown is never nothing: it counts as what was reserved.
 */
import type { ModelResult, ModelUsage } from "@turnseal/ports";
import {
  type Amounts,
  priceTokens,
  reasoningTokensMax,
  type TokenCounts,
  type UnknownSide,
} from "@turnseal/protocol";
import type { NextRequest } from "../context/conversation.ts";
import { measureRequest } from "../context/measure-request.ts";
import { OUTPUT_TOKENS_DEFAULT } from "../limits.ts";
import type { Effects } from "../world.ts";

type Asked = Pick<NextRequest, "settings" | "messageBytes">;
type Prices = Pick<Effects, "prices">;
type Tokens = Required<Pick<TokenCounts, "inputTokens" | "outputTokens">>;
type UsageParts = Omit<TokenCounts, keyof Tokens>;

/** Why a usage is unknown. */
export type UsageGap = "missing" | "zero";

/** The most a request can cost: one token for each byte that goes in, the output, the thoughts. */
export function reserveUsage(request: Asked, price: string, effects: Prices): Amounts {
  return addMoney(reserveTokens(request), { price, effects, unknown: ["input", "output"] });
}

/** Counts the usage of an answer. */
export function countUsage(
  { usage, content }: Pick<ModelResult, "usage" | "content">,
  {
    request,
    price,
    effects,
  }: { readonly request: Asked; readonly price: string; readonly effects: Prices },
): Amounts {
  const { inputTokens = 0, outputTokens = 0 } = usage;
  const isSilent = usage.outputTokens === 0 && content.length === 0;
  const isInputKnown = inputTokens > 0;
  const isOutputKnown = outputTokens > 0 || isSilent;
  const parts = listUsageParts(usage);
  if (isInputKnown && isOutputKnown)
    return addMoney({ inputTokens, outputTokens }, { price, effects, parts });
  // To measure a request costs more than everything else here: only where a count is missing.
  const most = reserveTokens(request);
  const tokens = {
    inputTokens: isInputKnown ? inputTokens : most.inputTokens,
    outputTokens: isOutputKnown ? outputTokens : most.outputTokens,
  };
  const unknown: UnknownSide[] = [
    ...(isInputKnown ? [] : (["input"] as const)),
    ...(isOutputKnown ? [] : (["output"] as const)),
  ];
  return addMoney(tokens, { price, effects, parts, unknown });
}

/**
 * The parts of the counts, without any part that is larger than its whole. Parts that are missing
 * from the usage stay absent.
 */
export function listUsageParts({
  inputTokens = 0,
  outputTokens = 0,
  cacheReadTokens = 0,
  cacheWriteTokens = 0,
  reasoningTokens = 0,
}: ModelUsage): UsageParts {
  const isInputSound = cacheReadTokens + cacheWriteTokens <= inputTokens;
  return {
    ...(isInputSound && cacheReadTokens > 0 ? { cacheReadTokens } : {}),
    ...(isInputSound && cacheWriteTokens > 0 ? { cacheWriteTokens } : {}),
    ...(reasoningTokens > 0 && reasoningTokens <= outputTokens ? { reasoningTokens } : {}),
  };
}

/** Names what is not known of the usage, if anything is not. */
export function findUsageGap({
  usage: { inputTokens, outputTokens },
  content,
}: Pick<ModelResult, "usage" | "content">): UsageGap | undefined {
  if (inputTokens === undefined || outputTokens === undefined) return "missing";
  const isZero = inputTokens === 0 || (outputTokens === 0 && content.length > 0);
  return isZero ? "zero" : undefined;
}

/** True when the price of a model is known. */
export function hasPrice(price: string, { prices }: Prices): boolean {
  return prices !== undefined && priceTokens(prices, price, {}) !== undefined;
}

function reserveTokens({ settings, messageBytes }: Asked): Tokens {
  const { maxOutputTokens = OUTPUT_TOKENS_DEFAULT, reasoning } = settings;
  // Tools and schemas are read by the model too.
  const inputTokens = measureRequest(settings, messageBytes());
  return { inputTokens, outputTokens: maxOutputTokens + reasoningTokensMax(reasoning) };
}

interface Pricing {
  readonly price: string;
  readonly effects: Prices;
  readonly parts?: UsageParts;
  readonly unknown?: readonly UnknownSide[];
}

function addMoney(
  tokens: Tokens,
  { price, effects: { prices }, parts, unknown }: Pricing,
): Amounts {
  const moneyMicros =
    prices === undefined ? undefined : priceTokens(prices, price, { ...tokens, ...parts }, unknown);
  const money = moneyMicros === undefined ? {} : { moneyMicros };
  return { rounds: 1, modelCalls: 1, ...tokens, ...money };
}
