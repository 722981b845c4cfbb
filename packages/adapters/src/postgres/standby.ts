/**
 * Checks whether answered writes survive the loss of the server.
 *
 * A lost claim is an effect that happens twice. So in production a commit has to be on a second
 * machine when it is answered, unless a flag allows otherwise.
 */
import { StoreError } from "@turnseal/ports";
import type { StandbyFacts } from "./statements/read-standby.ts";

export interface DurabilityOptions {
  /** In production a synchronous standby is required. */
  readonly mode?: "development" | "production";
  /** Lets production run without one. Setting it is reported. */
  readonly withoutStandby?: boolean;
}

export interface Durability {
  readonly mode: "development" | "production";
  /** The missing settings for a commit to survive the loss of the server. */
  readonly missing: readonly string[];
  /** True when production runs without a synchronous standby because a flag says so. */
  readonly isOverridden: boolean;
}

/** Lists what a server lacks, by its own facts. */
export function listMissing(facts: StandbyFacts): string[] {
  const missing: string[] = [];
  if (facts.fsync !== "on") missing.push("fsync is off");
  if (!["on", "remote_apply"].includes(facts.commit))
    missing.push(`synchronous_commit is ${facts.commit}`);
  if (facts.names.trim() === "") missing.push("synchronous_standby_names is empty");
  // Without the right to look the states of standbys are hidden, and the settings alone decide:
  // with them a commit waits rather than being answered too early.
  else if (facts.synchronous === 0 && facts.canSee)
    missing.push("no synchronous standby is connected");
  return missing;
}

/** Returns the durability, or throws a refusal. */
export function checkDurability(facts: StandbyFacts, options: DurabilityOptions): Durability {
  const { mode = "development", withoutStandby = false } = options;
  const missing = listMissing(facts);
  const isOverridden = mode === "production" && missing.length > 0 && withoutStandby;
  if (mode === "production" && missing.length > 0 && !isOverridden)
    throw new StoreError("STORE_NOT_REPLICATED", `production refused: ${missing.join(", ")}`);
  return { mode, missing, isOverridden };
}
