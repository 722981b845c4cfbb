/** The cache of a provider with its prices: by its own arithmetic. */
import { sumCommon, sumTokens } from "./tokens.ts";

export interface Usage {
  /** Everything that was read. */
  readonly input: number;
  /** Of it, what stood in the cache, and what was put there. */
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** How a provider keeps what it has read. */
export interface CacheTerms {
  /** Less than this is not kept. */
  readonly tokensMin: number;
  /** Only whole steps of so many tokens are kept. */
  readonly tokensStep: number;
  /** Whether putting something there has a price of its own. */
  readonly isWritePaid: boolean;
}

/** What was read, and how much of it repeats the beginning of a request before it. */
export interface ReadTokens {
  readonly all: number;
  readonly repeated: number;
  /** False where the last request of the same conversation was not repeated whole. */
  readonly isWhole: boolean;
}

export interface ProviderCache {
  read(pieces: readonly string[]): ReadTokens;
}

/** The remembered requests: of the conversation, and of its summarizer. */
const KEPT = 4;

export function createProviderCache(): ProviderCache {
  let before: (readonly string[])[] = [];
  return {
    read: (pieces) => {
      const all = sumTokens(pieces);
      const repeated = Math.max(0, ...before.map((earlier) => sumCommon(earlier, pieces)));
      const last = before.findLast(([first]) => first === pieces[0]);
      const isWhole = last?.every((piece, index) => piece === pieces[index]) ?? true;
      before = [...before, pieces].slice(-KEPT);
      return { all, repeated, isWhole };
    },
  };
}

export function countUsage(
  { all, repeated }: ReadTokens,
  { tokensMin, tokensStep, isWritePaid }: CacheTerms,
  output: number,
): Usage {
  const kept = Math.floor(repeated / tokensStep) * tokensStep;
  const cacheRead = kept < tokensMin ? 0 : kept;
  const cacheWrite = isWritePaid && all >= tokensMin ? all - cacheRead : 0;
  return { input: all, cacheRead, cacheWrite, output };
}

/** Micro-units of money for one token. */
export interface TokenPrices {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** The cost of one request, in micro-units: a broken one counts in full. */
export function charge(usage: Usage, prices: TokenPrices): number {
  const fresh = usage.input - usage.cacheRead - usage.cacheWrite;
  const micros =
    fresh * prices.input +
    usage.cacheRead * prices.cacheRead +
    usage.cacheWrite * prices.cacheWrite +
    usage.output * prices.output;
  // Sums of tenths are off by a little, and one thousandth is none.
  return Math.ceil(Math.round(micros * 1_000) / 1_000);
}
