/** Whether a run goes on, waits or stops, and the reason. */
import type { StopReason } from "@turnseal/protocol";

export type StopDecision =
  | {
      readonly kind: "continue";
      readonly reason:
        | "first-turn"
        | "goal-not-reached"
        | "retry-after-failure"
        | "rounds-exhausted"
        | "signal-received";
    }
  | { readonly kind: "wait"; readonly reason: "signal-awaited" }
  | { readonly kind: "wait"; readonly reason: "retry-later" }
  /** Until then; without a time until a person wants it. */
  | { readonly kind: "wait"; readonly reason: "provider-awaited"; readonly until?: string }
  | { readonly kind: "stop"; readonly reason: StopReason };
