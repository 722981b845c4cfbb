/**
 * The lives of objects, as data: which status may follow which, what must hold for it, and what
 * follows from it (spec/graph.md §2).
 *
 * 1. A transition that is not listed is refused. No status follows itself.
 * 2. An object is created in the initial status.
 * 3. A status that nothing follows is final.
 */

export const CONTEXT_STATUSES = ["draft", "active", "suspended", "archived", "closed"] as const;
export const PLAN_STATUSES = [
  "draft",
  "proposed",
  "approved",
  "in_progress",
  "completed",
  "cancelled",
  "failed",
] as const;
export const STEP_STATUSES = [
  "pending",
  "in_progress",
  "completed",
  "blocked",
  "skipped",
  "failed",
] as const;
export const CONFIRM_STATUSES = ["pending", "approved", "rejected", "cancelled"] as const;
export const TRACE_STATUSES = ["pending", "running", "completed", "failed", "cancelled"] as const;
export const SEGMENT_STATUSES = [
  "pending",
  "running",
  "completed",
  "failed",
  "cancelled",
  "skipped",
] as const;
export const COLLAB_STATUSES = ["draft", "active", "suspended", "completed", "cancelled"] as const;
export const DIALOG_STATUSES = ["active", "paused", "completed", "cancelled"] as const;
export const EXTENSION_STATUSES = ["registered", "active", "inactive", "deprecated"] as const;
export const NETWORK_STATUSES = [
  "draft",
  "provisioning",
  "active",
  "degraded",
  "maintenance",
  "retired",
] as const;
export const CORE_STATUSES = ["draft", "active", "deprecated", "archived"] as const;

/** Conditions in the graph for a transition. */
export const GUARDS = [
  "confirm-decides",
  "decision-given",
  "decider-permitted",
  "plan-proposed",
  "context-active",
  "plan-in-progress",
  "dependencies-completed",
  "dependency-failed",
  "dependencies-resolved",
  "steps-finished",
  "step-failed",
] as const;
export type Guard = (typeof GUARDS)[number];

/** The side effect of a transition: the target, if it is a plan, gets this status. */
interface Effect {
  readonly targetPlan: "approved" | "draft";
}

export interface Transition<Status extends string = string> {
  readonly from: Status;
  readonly to: Status;
  /** Asked in this order; the first that does not hold is the refusal. */
  readonly guards?: readonly Guard[];
  readonly effect?: Effect;
}

export interface Lifecycle<Status extends string = string> {
  readonly initial: Status;
  readonly transitions: readonly Transition<Status>[];
}

/** Every status of everything that has one. */
export const STATUSES = {
  context: CONTEXT_STATUSES,
  plan: PLAN_STATUSES,
  step: STEP_STATUSES,
  confirm: CONFIRM_STATUSES,
  trace: TRACE_STATUSES,
  segment: SEGMENT_STATUSES,
  collab: COLLAB_STATUSES,
  dialog: DIALOG_STATUSES,
  extension: EXTENSION_STATUSES,
  network: NETWORK_STATUSES,
  core: CORE_STATUSES,
} as const;
type Living = keyof typeof STATUSES;

export const LIFECYCLES = {
  context: {
    initial: "draft",
    transitions: [
      { from: "draft", to: "active" },
      { from: "draft", to: "closed" },
      { from: "active", to: "suspended" },
      { from: "active", to: "archived" },
      { from: "suspended", to: "active" },
      { from: "suspended", to: "closed" },
      { from: "archived", to: "closed" },
    ],
  },
  plan: {
    initial: "draft",
    transitions: [
      { from: "draft", to: "proposed" },
      { from: "draft", to: "cancelled" },
      // Only as what a confirm brings about.
      { from: "proposed", to: "approved", guards: ["confirm-decides"] },
      { from: "proposed", to: "draft", guards: ["confirm-decides"] },
      { from: "approved", to: "in_progress", guards: ["context-active"] },
      { from: "in_progress", to: "completed", guards: ["steps-finished"] },
      { from: "in_progress", to: "failed", guards: ["step-failed"] },
      { from: "in_progress", to: "cancelled" },
    ],
  },
  step: {
    initial: "pending",
    transitions: [
      {
        from: "pending",
        to: "in_progress",
        guards: ["plan-in-progress", "context-active", "dependencies-completed"],
      },
      { from: "pending", to: "blocked", guards: ["dependency-failed"] },
      { from: "pending", to: "skipped" },
      { from: "in_progress", to: "completed" },
      { from: "in_progress", to: "failed" },
      { from: "blocked", to: "pending", guards: ["dependencies-resolved"] },
    ],
  },
  confirm: {
    initial: "pending",
    transitions: [
      {
        from: "pending",
        to: "approved",
        guards: ["decision-given", "decider-permitted", "plan-proposed"],
        effect: { targetPlan: "approved" },
      },
      {
        from: "pending",
        to: "rejected",
        guards: ["decision-given", "plan-proposed"],
        effect: { targetPlan: "draft" },
      },
      { from: "pending", to: "cancelled" },
    ],
  },
  trace: {
    initial: "pending",
    transitions: [
      { from: "pending", to: "running" },
      { from: "pending", to: "cancelled" },
      { from: "running", to: "completed" },
      { from: "running", to: "failed" },
      { from: "running", to: "cancelled" },
    ],
  },
  segment: {
    initial: "pending",
    transitions: [
      { from: "pending", to: "running" },
      { from: "pending", to: "skipped" },
      { from: "running", to: "completed" },
      { from: "running", to: "failed" },
      { from: "running", to: "cancelled" },
    ],
  },
  collab: {
    initial: "draft",
    transitions: [
      { from: "draft", to: "active" },
      { from: "draft", to: "cancelled" },
      { from: "active", to: "suspended" },
      { from: "active", to: "completed" },
      { from: "active", to: "cancelled" },
      { from: "suspended", to: "active" },
    ],
  },
  dialog: {
    initial: "active",
    transitions: [
      { from: "active", to: "paused" },
      { from: "active", to: "completed" },
      { from: "active", to: "cancelled" },
      { from: "paused", to: "active" },
      { from: "paused", to: "cancelled" },
    ],
  },
  extension: {
    initial: "registered",
    transitions: [
      { from: "registered", to: "active" },
      { from: "active", to: "inactive" },
      { from: "active", to: "deprecated" },
      { from: "inactive", to: "active" },
      { from: "deprecated", to: "inactive" },
    ],
  },
  network: {
    initial: "draft",
    transitions: [
      { from: "draft", to: "provisioning" },
      { from: "provisioning", to: "active" },
      { from: "active", to: "degraded" },
      { from: "active", to: "maintenance" },
      { from: "active", to: "retired" },
      { from: "degraded", to: "active" },
      { from: "maintenance", to: "active" },
    ],
  },
  // The source names the statuses and no transitions: these are ours.
  core: {
    initial: "draft",
    transitions: [
      { from: "draft", to: "active" },
      { from: "active", to: "deprecated" },
      { from: "deprecated", to: "archived" },
    ],
  },
} as const satisfies { readonly [Type in Living]: Lifecycle<(typeof STATUSES)[Type][number]> };

/** The transition between two statuses; undefined when there is none. */
export function findTransition(type: Living, from: string, to: string): Transition | undefined {
  const { transitions }: Lifecycle = LIFECYCLES[type];
  return transitions.find((each) => each.from === from && each.to === to);
}

/** True for a status that nothing follows. */
export function isFinal(type: Living, status: string): boolean {
  const { transitions }: Lifecycle = LIFECYCLES[type];
  return transitions.every(({ from }) => from !== status);
}
