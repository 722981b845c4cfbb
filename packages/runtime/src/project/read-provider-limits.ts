/**
 * Reads an operator's limits of providers and their models, for all tenants together, from a file.
 */

import { parseJsonText, readText } from "@turnseal/documents";
import type { HostOptions } from "@turnseal/host";
import type { ProviderLimits } from "@turnseal/ports";
import { isPlainObject, listBackends, type RateLimitSpec } from "@turnseal/protocol";
import { hasOnly, isCountWithin } from "@turnseal/protocol/shape";

export interface ProviderLimitOptions {
  readonly providerLimits?: string;
  /** The place of the leases: without it, limits cannot be counted for all. */
  readonly redis?: string;
}

type ReadProviderLimits =
  | {
      readonly kind: "read";
      readonly listFor: ProviderLimits["listFor"];
      /** Names of the file that no prompt of the project asks: perhaps a slip. */
      readonly unused: readonly string[];
    }
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

/** Names in one file, and how long each may be. */
export const PROVIDER_LIMITS_MAX = 100;
const NAME_LENGTH_MAX = 256;
/** Each lease of a minute is kept for that long. */
export const PROVIDER_COUNT_MAX = 100_000;

const EXAMPLE =
  '{"limits":{"anthropic":{"perMinute":1000,"inFlight":50},"openai/gpt-4.1":{"perMinute":500}}}';

type Limit = Omit<RateLimitSpec, "name">;

/** Reads the file that was named; without one, nothing is limited. */
export async function readProviderLimits(
  { providerLimits: file, redis }: ProviderLimitOptions,
  asked: Pick<HostOptions, "loops" | "models">,
): Promise<ReadProviderLimits> {
  if (file === undefined) return { kind: "read", listFor: () => [], unused: [] };
  if (redis === undefined)
    return {
      kind: "unusable",
      message: "limits for all tenants are counted in Redis, and --redis is missing",
      next: "turnseal worker --provider-limits <file> --redis redis://host:6379",
    };
  const read = await readText(file);
  if (read.kind === "refused") return unusable(`${file}: ${read.message}`);
  const parsed = parseJsonText(read.text);
  if (parsed.kind === "refused") return unusable(`${file} is not JSON`);
  if (!hasLimits(parsed.value)) return unusable(`${file} is not a list of limits`);
  const limits = new Map<string, Limit>();
  for (const [name, limit] of Object.entries(parsed.value.limits)) {
    if (!isName(name) || !isLimit(limit))
      return unusable(`${file}: the limit of ${JSON.stringify(name.slice(0, 100))} is not one`);
    limits.set(name, limit);
  }
  if (limits.size === 0 || limits.size > PROVIDER_LIMITS_MAX)
    return unusable(`${file} has ${limits.size} limits, and not 1 to ${PROVIDER_LIMITS_MAX}`);
  const known = listAsked(asked);
  const unused = [...limits.keys()].filter((name) => !known.has(name));
  return { kind: "read", listFor: listIn(limits), unused };
}

/** From the narrowest: waiting for one model takes nothing of the shared limit. */
function listIn(limits: ReadonlyMap<string, Limit>): ProviderLimits["listFor"] {
  return (provider, model) =>
    [`${provider}/${model}`, provider].flatMap((name) => {
      const limit = limits.get(name);
      return limit === undefined ? [] : [{ ...limit, name: `provider:${name}` }];
    });
}

/** Every provider and every model that a prompt names. */
function listAsked({
  loops,
  models = {},
}: Pick<HostOptions, "loops" | "models">): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { definition } of loops)
    for (const { id, model = models[id]?.defaultModel } of listBackends(definition))
      names.add(id).add(`${id}/${model ?? ""}`);
  return names;
}

const hasLimits = hasOnly({ limits: isPlainObject });
const isCounted = isCountWithin({ least: 1, most: PROVIDER_COUNT_MAX });
const hasCounts = hasOnly({}, { perMinute: isCounted, inFlight: isCounted });

function isLimit(value: unknown): value is Limit {
  return hasCounts(value) && Object.keys(value).length > 0;
}

function isName(name: string): boolean {
  return name !== "" && name.length <= NAME_LENGTH_MAX;
}

function unusable(message: string): ReadProviderLimits {
  return { kind: "unusable", message, next: `write it as ${EXAMPLE}` };
}
