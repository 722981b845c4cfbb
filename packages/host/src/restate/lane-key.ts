/**
 * Lanes: where messages of a tenant queue in the engine while no worker has a slot for them. Each
 * is a queue of its own, and lets one message through at a time.
 */
import { isTenant } from "@turnseal/protocol";

/** The name of the object that every lane is one of. */
export const LANE_OBJECT = "Lane";

/** How many lanes a tenant has that has no cap: so many of its messages ask for slots at once. */
export const LANES_DEFAULT = 64;

export interface LaneKey {
  readonly tenant: string;
  readonly lane: number;
}

/** The lane of a run among so many: the same for each of its messages. */
export function chooseLane(run: string, lanes = LANES_DEFAULT): number {
  let hash = 0;
  for (const letter of run) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
  return hash % lanes;
}

/** The key of a lane in the engine. */
export function formatLaneKey({ tenant, lane }: LaneKey): string {
  return `${tenant}:${lane}`;
}

/** A number is a hash of 32 bits at most. */
const keyPattern = /^([^:]*):(\d{1,10})$/;

export function parseLaneKey(key: string): LaneKey | undefined {
  const [, tenant, lane] = keyPattern.exec(key) ?? [];
  return isTenant(tenant) && lane !== undefined ? { tenant, lane: Number(lane) } : undefined;
}
