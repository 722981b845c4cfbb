/**
 * Strategies as texts and tables, and what a scope makes of those around it: what it does not say
 * itself is inherited.
 */
import { TRIES_DEFAULT } from "@turnseal/kernel";
import type { BackendRef, CacheSpec, RetrySpec } from "@turnseal/protocol";
import type { CONTEXTS } from "./tables.ts";
import type {
  CacheTable,
  ContextTable,
  LlmTable,
  RetryTable,
  Strategies,
} from "./workflow-document.ts";

export interface FilledStrategies {
  readonly context: { readonly strategy: (typeof CONTEXTS)[number]; readonly last: number };
  readonly cache: CacheSpec | undefined;
  /** Bytes of a result that an agent is shown. */
  readonly preview: number | undefined;
  readonly retry: RetrySpec | undefined;
  /** Undefined if the file does not mention models; false if they are not allowed. */
  readonly llm: LlmTable | false | undefined;
}

/** Results that `flat` shows. */
const LAST_DEFAULT = 10;
const MS = 1_000;

export const NO_STRATEGIES: FilledStrategies = {
  context: { strategy: "flat", last: LAST_DEFAULT },
  cache: undefined,
  preview: undefined,
  retry: undefined,
  llm: undefined,
};

/** The strategies of a scope inside another. */
export function fillStrategies(own: Strategies, around: FilledStrategies): FilledStrategies {
  const { context, cache, retry, llm } = own;
  return {
    context:
      context === undefined
        ? around.context
        : { last: LAST_DEFAULT, ...toTable<ContextTable>(context) },
    cache: cache === undefined ? around.cache : fillCache(toTable<CacheTable>(cache)),
    preview: cache === undefined ? around.preview : toTable<CacheTable>(cache).preview_length,
    retry: retry === undefined ? around.retry : fillRetry(toTable<RetryTable>(retry)),
    llm: llm === undefined ? around.llm : fillLlm(toTable<LlmTable>(llm)),
  };
}

/** A strategy that is a text is a table with nothing else. */
function toTable<Table extends { readonly strategy?: string }>(written: string | Table): Table {
  // The possible texts were checked with the keys.
  return typeof written === "string" ? ({ strategy: written } as Table) : written;
}

function fillCache({ strategy, ttl_seconds }: CacheTable): CacheSpec | undefined {
  if (strategy === "none") return undefined;
  return {
    strategy: strategy === "in_memory" ? "ephemeral" : strategy,
    ...(ttl_seconds === undefined ? {} : { ttlMs: Math.round(ttl_seconds * MS) }),
  };
}

const DELAY_DEFAULT = 1;
const CAP_DEFAULT = 60;

function fillRetry({ strategy, max_attempts, ...table }: RetryTable): RetrySpec | undefined {
  if (strategy === "none") return undefined;
  const max = max_attempts ?? TRIES_DEFAULT[strategy];
  const { delay = DELAY_DEFAULT, cap = CAP_DEFAULT, jitter } = table;
  return {
    ...{ strategy, max },
    ...(strategy === "immediate" ? {} : { delayMs: Math.round(delay * MS) }),
    ...(strategy === "exponential" ? { capMs: Math.round(cap * MS) } : {}),
    ...(jitter === undefined ? {} : { jitter }),
  };
}

/** The effect of `on_error = "retry"` beside the strategy of its scope. */
export function retryStep(
  max_retries: number | undefined,
  retry: RetrySpec | undefined,
): RetrySpec {
  const known = retry ?? { strategy: "immediate" };
  const max = max_retries === undefined ? (retry?.max ?? TRIES_DEFAULT.immediate) : max_retries + 1;
  return { ...known, max };
}

function fillLlm(table: LlmTable): LlmTable | false {
  return table.strategy === "none" ? false : table;
}

/** The model that prompts ask; without a provider it is the scripted one. */
export function backendOf({ provider, model }: LlmTable): { readonly backend?: BackendRef } {
  if (provider === undefined) return {};
  return { backend: { id: provider, ...(model === undefined ? {} : { model }) } };
}
