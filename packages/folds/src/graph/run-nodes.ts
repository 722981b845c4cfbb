/** The objects of the graph of a run, as its log names them: none has a word of anybody's. */
import { isUuid, uuidFrom } from "@turnseal/protocol";
import type { ConfirmDecision } from "@turnseal/protocol/graph";
import { APPROVING } from "./decide-transition.ts";

interface Target {
  readonly id: string;
  readonly type: "plan" | "other";
  /** Separates requests about one call. */
  readonly about?: string;
}

interface Decided {
  readonly status: ConfirmDecision["status"];
  readonly at: string;
  /** The digest of a person's reason: its words are content. */
  readonly reason?: string | undefined;
}

const meta = { protocol_version: "1.0.0", schema_version: "2.0.0" };

/** Ids follow from the run and its log, so that every fold makes the same. */
export function nameNodes(run: string) {
  const idOf = (...parts: readonly (string | number)[]): string =>
    uuidFrom(["graph", run, ...parts].join("\n"));
  const contextId = idOf("project");
  const deciderId = idOf("decider");
  const confirmId = (about: string): string => idOf("confirm", about);
  const traceId = (turn: number): string => idOf("trace", turn);
  return {
    contextId,
    confirmId,
    traceId,
    planId: (sequence: number): string => idOf("plan", sequence),
    plannedId: (plan: string, index: number): string => idOf("step", plan, index),
    /** Of a step that was not planned: of the call that carries it out. */
    stepId: (call: string): string => idOf("step", call),
    context: (loop: string, at: string) => ({
      ...{ meta, context_id: contextId, title: loop, status: "draft", created_at: at },
      root: { domain: "run", environment: "turnseal", entry_point: loop },
    }),
    /** The person that the log names as the decider: a verifier checks that. */
    decider: () => ({ meta, role_id: deciderId, name: "decider", capabilities: [APPROVING] }),
    plan: (
      id: string,
      { loop, steps, at }: { loop: string; steps: readonly object[]; at: string },
    ) => ({
      ...{ meta: { ...meta, created_at: at }, plan_id: id, context_id: contextId },
      ...{ title: loop, objective: loop, status: "draft", steps },
    }),
    step: (id: string, { loop, after }: { loop: string; after: readonly string[] }) => ({
      ...{ step_id: id, description: loop, status: "pending", dependencies: after },
      // The loop that carries it out; an id would name a node that is not there.
      ...(isUuid(loop) ? {} : { agent_role: loop }),
    }),
    confirm: ({ id, type, about = id }: Target, at: string) => ({
      ...{ meta, confirm_id: confirmId(about), target_type: type, target_id: id },
      ...{ status: "pending", requested_by_role: "kernel", requested_at: at },
    }),
    decision: (confirm: string, { status, at, reason }: Decided): ConfirmDecision => ({
      ...{ decision_id: idOf("decision", confirm), status },
      ...{ decided_by_role: deciderId, decided_at: at },
      ...(reason === undefined ? {} : { reason }),
    }),
    trace: (turn: number, at: string) => ({
      ...{
        meta,
        trace_id: traceId(turn),
        context_id: contextId,
        status: "pending",
        started_at: at,
      },
      root_span: { trace_id: traceId(turn), span_id: idOf("span", turn), context_id: contextId },
    }),
    segment: (call: string, loop: string) => ({
      ...{ segment_id: call, label: loop, status: "pending" },
    }),
  };
}
export type RunNodes = ReturnType<typeof nameNodes>;
