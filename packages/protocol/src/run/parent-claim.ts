import type { EventPoint } from "../log/event-point.ts";

/** The claim in another run's log under which a run was started. */
export interface ParentClaim extends EventPoint {
  readonly run: string;
  readonly turn: number;
}
