/** The plan of a run: its proposal, its decision, and the progress of its steps. */
import {
  type BlobRef,
  type EventOf,
  isVendorEvent,
  type LoopEvent,
  type PlanDecision,
  type PlanEnd,
  type PlannedStep,
} from "@turnseal/protocol";

export type StepState = "pending" | "running" | "completed" | "failed" | "skipped" | "blocked";

export interface FollowedStep extends PlannedStep {
  readonly state: StepState;
  /** The call that carries it out; that of the latest try. */
  readonly call?: string;
}

export interface FollowedPlan {
  readonly document: BlobRef;
  readonly state: "proposed" | PlanDecision | PlanEnd;
  readonly steps: readonly FollowedStep[];
}

export interface PlanFollower {
  follow(event: LoopEvent): void;
  /** The latest plan of the run; undefined where it has none. */
  plan(): FollowedPlan | undefined;
}

export function followPlan(): PlanFollower {
  let plan: FollowedPlan | undefined;
  /** The call that carries the plan out. */
  let carrier: string | undefined;

  const change = (
    isMeant: (step: FollowedStep) => boolean,
    to: Pick<FollowedStep, "state" | "call">,
  ): void => {
    if (plan === undefined) return;
    const steps = plan.steps.map((step) => (isMeant(step) ? { ...step, ...to } : step));
    plan = { ...plan, steps };
  };
  const propose = ({ content, parentCall }: EventOf<"plan.proposed">): void => {
    const { document, steps } = content;
    carrier = parentCall;
    const waiting = steps.map((step) => ({ ...step, state: "pending" as const }));
    plan = { document, state: "proposed", steps: waiting };
  };
  const followCarrier = (event: LoopEvent): void => {
    switch (event.type) {
      case "child.started": {
        const { path = "", child } = event.content;
        change((step) => isAt(path, step), { state: "running", call: child });
        return;
      }
      case "child.completed": {
        const { child, status } = event.content;
        const state = status === "ok" ? "completed" : "failed";
        change(({ call }) => call === child, { state });
        return;
      }
      case "step.skipped": {
        const { path, because } = event.content;
        // A tolerated failure is a failure all the same.
        if (because === "failed") return;
        const state = because === "blocked" ? "blocked" : "skipped";
        change((step) => isAt(path, step), { state });
        return;
      }
      default:
        return;
    }
  };
  return {
    plan: () => plan,
    follow: (event) => {
      if (isVendorEvent(event)) return;
      if (event.type === "plan.proposed") propose(event);
      if (plan !== undefined && event.type === "plan.decided")
        plan = { ...plan, state: event.content.decision };
      if (plan !== undefined && event.type === "plan.closed")
        plan = { ...plan, state: event.content.status };
      // A turn may be ended without its call: then nothing more comes of the plan either.
      if (plan !== undefined && event.type === "turn.closed")
        plan = { ...plan, state: ends[plan.state] ?? plan.state };
      if (carrier !== undefined && event.call === carrier) followCarrier(event);
    },
  };
}

/** The end of a plan whose turn is over, as in the graph (spec/graph.md §6). */
const ends: Readonly<Partial<Record<FollowedPlan["state"], PlanEnd>>> = {
  proposed: "cancelled",
  approved: "cancelled",
};

/** A step is tried again at a path of its own. */
function isAt(path: string, step: PlannedStep): boolean {
  return path === step.path || path.startsWith(`${step.path}/tries/`);
}
