import type { Dues } from "@turnseal/host";
import type { Effect } from "@turnseal/protocol";

/** Where a worker is to end or to freeze itself. */
export type Plan =
  | { readonly kind: "none" }
  /** At the boundary of that number, counted from one within the job. */
  | { readonly kind: "kill"; readonly at: number }
  /** Between a payment's claim and its act. */
  | { readonly kind: "freeze" };

/** Advance a run once. */
export interface Job {
  readonly run: string;
  readonly effect: Effect;
  /** How far the worker's clock is ahead, so that nobody sleeps through a grace period. */
  readonly aheadMs: number;
  readonly plan: Plan;
}

export type Report =
  | { readonly kind: "ready" }
  | {
      readonly kind: "advanced";
      readonly dues: Dues;
      readonly crossings: number;
      /** True while a request of the worker to the outside may still arrive there. */
      readonly isBusy: boolean;
    }
  /** The worker lost the run to another, and said nothing more. */
  | { readonly kind: "fenced" }
  | { readonly kind: "broken"; readonly message: string };
