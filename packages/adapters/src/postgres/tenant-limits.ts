/** A tenant's limits on shared resources. Absent ones are no limit. */
import { isPlainObject, type JsonObject } from "@turnseal/protocol";

export interface TenantLimits {
  /** Runs that are executed at the same time, on all workers together. */
  readonly concurrency?: number;
  /** Runs that are started in a second. */
  readonly startsPerSecond?: number;
  /** Tokens of models in a day. */
  readonly tokensPerDay?: number;
  /** Money in a day, in millionths of a dollar. */
  readonly moneyMicrosPerDay?: number;
  /** Days that a run stays in the database after its end, before it is archived. */
  readonly keepDays?: number;
}

export const TENANT_LIMITS = [
  "concurrency",
  "startsPerSecond",
  "tokensPerDay",
  "moneyMicrosPerDay",
  "keepDays",
] as const satisfies readonly (keyof TenantLimits)[];

/** The largest share of a tenant; the smallest is one, and so is the default. */
export const TENANT_WEIGHT_MAX = 1_000;

/** Undefined for anything but whole numbers of at least one under names that are known. */
export function parseTenantLimits(value: unknown): TenantLimits | undefined {
  if (!isPlainObject(value)) return undefined;
  const known: readonly string[] = TENANT_LIMITS;
  for (const [name, limit] of Object.entries(value as JsonObject)) {
    if (!known.includes(name)) return undefined;
    if (!Number.isSafeInteger(limit) || Number(limit) < 1) return undefined;
  }
  return value as TenantLimits;
}
