/**
 * The profiles of MPLP in a run.
 *
 * 1. A turn is one agent at work: it is initialized, has its context, evaluates plans, executes
 *    their steps, emits its trace and completes. A turn that has no plan has no steps either.
 * 2. A run that hands work to others is a session of several. It begins with the first handoff:
 *    before it, nothing says that there will be any.
 */

import type { RunNodes } from "@turnseal/folds/graph";
import type { ContentOf, EventOf, JsonObject } from "@turnseal/protocol";
import { nameIn, type TellMplp } from "./mplp-event.ts";

export interface Profiles {
  beginTurn(event: EventOf<"turn.started">): void;
  endTurn(event: EventOf<"turn.closed">): void;
  /** A change of the graph, after it was reported. */
  follow(type: string, fields: JsonObject): void;
  dispatch(event: EventOf<"action.claimed">): void;
  complete(content: ContentOf<"action.settled" | "action.resolved">): void;
  endRun(): void;
}

interface Dispatched {
  readonly role_id: string;
  readonly turn_number: number;
}

export function tellProfiles(run: string, nodes: RunNodes, tell: TellMplp): Profiles {
  let turn = 0;
  const plans = new Map<string, string>();
  const tellAgent = (type: string, fields: JsonObject = {}): void => {
    const context = { context_id: nodes.contextId };
    tell(type, { sa_id: nameIn(run, "agent", turn), ...context, ...fields });
  };
  const session = tellSession(run, tell);
  return {
    ...session,
    beginTurn: (event) => {
      ({ turn } = event);
      plans.clear();
      tellAgent("SAInitialized", { payload: { run_id: run, turn } });
      tellAgent("SAContextLoaded");
    },
    endTurn: ({ content: { outcome } }) => {
      if (turn === 0) return;
      tellAgent("SATraceEmitted", { trace_id: nodes.traceId(turn) });
      const status = outcome === "completed" ? "completed" : "failed";
      tellAgent("SACompleted", { trace_id: nodes.traceId(turn), payload: { status, outcome } });
      turn = 0;
    },
    follow: (type, fields) => {
      const { node_id: node, resource_id: step } = fields["payload"] as JsonObject;
      if (type === "plan_created") tellAgent("SAPlanEvaluated", { plan_id: String(node) });
      const said = stepEvents[type];
      if (said === undefined) return;
      const payload = { step_id: String(step), ...said.payload };
      tellAgent(said.type, { payload });
    },
  };
}

const stepEvents: Readonly<
  Record<string, { readonly type: string; readonly payload: JsonObject }>
> = {
  step_started: { type: "SAStepStarted", payload: {} },
  step_completed: { type: "SAStepCompleted", payload: { status: "completed" } },
  step_failed: { type: "SAStepFailed", payload: { status: "failed" } },
};

function tellSession(
  run: string,
  tell: TellMplp,
): Pick<Profiles, "dispatch" | "complete" | "endRun"> {
  const open = new Map<string, Dispatched>();
  const roles = new Set<string>();
  let turns = 0;
  const tellOf = (type: string, payload?: JsonObject): void =>
    tell(type, { session_id: run, ...(payload === undefined ? {} : { payload }) });
  return {
    dispatch: ({ content }) => {
      if (content.action !== "handoff") return;
      const { key, target } = content;
      if (turns === 0) tellOf("MAPSessionStarted");
      if (!roles.has(target)) tellOf("MAPRolesAssigned", { role_id: target });
      roles.add(target);
      turns += 1;
      const dispatched = { role_id: target, turn_number: turns };
      open.set(key, dispatched);
      tellOf("MAPTurnDispatched", { ...dispatched });
    },
    complete: (content) => {
      const dispatched = open.get(content.key);
      if (dispatched === undefined) return;
      open.delete(content.key);
      const status = "status" in content ? content.status : content.resolution;
      tellOf("MAPTurnCompleted", { ...dispatched, status });
    },
    endRun: () => {
      if (turns > 0) tellOf("MAPSessionCompleted");
    },
  };
}
