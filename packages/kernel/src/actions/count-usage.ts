/**
 * What a model request costs: reserved before, counted after.
 *
 * A count that the provider left out, or that is zero where something was read or written, is
 * unknown. Unknown is never nothing: it counts as what was reserved.
 */
import type { ModelRequest, ModelResult } from "@turnseal/ports";
import { type Amounts, priceTokens } from "@turnseal/protocol";
import { measureRequest } from "../context/measure-request.ts";
import { OUTPUT_TOKENS_DEFAULT } from "../limits.ts";
import type { World } from "../world.ts";

type Asked = Omit<ModelRequest, "model" | "signal">;
type Prices = Pick<World, "prices">;

/** Why a usage is unknown. */
export type UsageGap = "missing" | "zero";

/** The most a request can cost: one token for each byte that goes in, and the output limit. */
export function reserveUsage(request: Asked, price: string, world: Prices): Amounts {
  return addMoney(reserveTokens(request), price, world);
}

/** What an answer cost. */
export function countUsage(
  { usage, content }: Pick<ModelResult, "usage" | "content">,
  {
    request,
    price,
    world,
  }: { readonly request: Asked; readonly price: string; readonly world: Prices },
): Amounts {
  const { inputTokens = 0, outputTokens = 0 } = usage;
  const isSilent = usage.outputTokens === 0 && content.length === 0;
  const isInputKnown = inputTokens > 0;
  const isOutputKnown = outputTokens > 0 || isSilent;
  if (isInputKnown && isOutputKnown) return addMoney({ inputTokens, outputTokens }, price, world);
  // To measure a request costs more than everything else here: only where a count is missing.
  const most = reserveTokens(request);
  const tokens = {
    inputTokens: isInputKnown ? inputTokens : most.inputTokens,
    outputTokens: isOutputKnown ? outputTokens : most.outputTokens,
  };
  return addMoney(tokens, price, world);
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

function reserveTokens(request: Asked): {
  readonly inputTokens: number;
  readonly outputTokens: number;
} {
  // Tools and schemas are read by the model too.
  const inputTokens = measureRequest(request);
  return { inputTokens, outputTokens: request.maxOutputTokens ?? OUTPUT_TOKENS_DEFAULT };
}

function addMoney(tokens: Amounts, price: string, { prices }: Prices): Amounts {
  const moneyMicros = prices === undefined ? undefined : priceTokens(prices, price, tokens);
  const money = moneyMicros === undefined ? {} : { moneyMicros };
  return { rounds: 1, modelCalls: 1, ...tokens, ...money };
}
