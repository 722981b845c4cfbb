/** The rules for objects and events, in the rule language (spec/graph.md §4). */
import type { Invariant } from "./check-invariants.ts";

/** Of what one agent works on. */
const SINGLE_AGENT: readonly Invariant[] = [
  { id: "sa_requires_context", scope: "context", path: "context_id", rule: "uuid-v4" },
  { id: "sa_context_must_be_active", scope: "context", path: "status", rule: "enum(active)" },
  {
    id: "sa_plan_context_binding",
    scope: "plan",
    path: "context_id",
    rule: "eq(context.context_id)",
  },
  { id: "sa_plan_has_steps", scope: "plan", path: "steps", rule: "min-length(1)" },
  { id: "sa_steps_have_valid_ids", scope: "plan", path: "steps[*].step_id", rule: "uuid-v4" },
  {
    id: "sa_steps_have_agent_role",
    scope: "plan",
    path: "steps[*].agent_role",
    rule: "non-empty-string",
    optional: true,
  },
  { id: "sa_trace_not_empty", scope: "trace", path: "events", rule: "min-length(1)" },
  {
    id: "sa_trace_context_binding",
    scope: "trace",
    path: "context_id",
    rule: "eq(context.context_id)",
  },
  { id: "sa_trace_plan_binding", scope: "trace", path: "plan_id", rule: "eq(plan.plan_id)" },
];

/** Of several agents at work together. */
const MULTI_AGENT: readonly Invariant[] = [
  // An object may have one participant; working together takes two.
  {
    id: "map_session_requires_participants",
    scope: "collab",
    path: "participants",
    rule: "min-length(2)",
  },
  {
    id: "map_collab_mode_valid",
    scope: "collab",
    path: "mode",
    rule: "enum(broadcast,round_robin,orchestrated,swarm,pair)",
  },
  { id: "map_session_id_is_uuid", scope: "collab", path: "collab_id", rule: "uuid-v4" },
  {
    id: "map_participants_have_role_ids",
    scope: "collab",
    path: "participants[*].role_id",
    rule: "exists",
  },
  {
    id: "map_role_ids_are_texts",
    scope: "collab",
    path: "participants[*].role_id",
    rule: "non-empty-string",
    optional: true,
  },
  {
    id: "map_participant_ids_are_non_empty",
    scope: "collab",
    path: "participants[*].participant_id",
    rule: "non-empty-string",
  },
  {
    id: "map_participant_kind_valid",
    scope: "collab",
    path: "participants[*].kind",
    rule: "enum(agent,human,system,external)",
  },
];

const FAMILIES = [
  ...["graph_update", "pipeline_stage", "runtime_execution", "import_process", "intent"],
  ...["cost_budget", "external_integration", "delta_intent", "impact_analysis"],
  ...["compensation_plan", "methodology", "reasoning_graph"],
];

/** Of one event. */
const OBSERVABILITY: readonly Invariant[] = [
  { id: "obs_event_id_is_uuid", scope: "event", path: "event_id", rule: "uuid-v4" },
  { id: "obs_event_type_non_empty", scope: "event", path: "event_type", rule: "non-empty-string" },
  {
    id: "obs_event_family_valid",
    scope: "event",
    path: "event_family",
    rule: `enum(${FAMILIES.join()})`,
  },
  { id: "obs_timestamp_iso_format", scope: "event", path: "timestamp", rule: "iso-datetime" },
  ...ofFamily("pipeline_stage", {
    obs_pipeline_event_has_pipeline_id: ["pipeline_id", "uuid-v4"],
    obs_pipeline_stage_id_non_empty: ["stage_id", "non-empty-string"],
    obs_pipeline_stage_status_valid: [
      "stage_status",
      "enum(pending,running,completed,failed,skipped)",
    ],
  }),
  ...ofFamily("graph_update", {
    obs_graph_event_has_graph_id: ["graph_id", "uuid-v4"],
    obs_graph_update_kind_valid: [
      "update_kind",
      "enum(node_add,node_update,node_delete,edge_add,edge_update,edge_delete,bulk)",
    ],
  }),
  ...ofFamily("runtime_execution", {
    obs_runtime_event_has_execution_id: ["execution_id", "uuid-v4"],
    obs_runtime_executor_kind_valid: ["executor_kind", "enum(agent,tool,llm,worker,external)"],
    obs_runtime_status_valid: ["status", "enum(pending,running,completed,failed,cancelled)"],
  }),
];

/** Of every document of objects, where they are there. */
const GLOBAL: readonly Invariant[] = [
  ...["context", "plan"].flatMap((scope): Invariant[] => [
    {
      id: `global_${scope}_protocol_version`,
      scope,
      path: "meta.protocol_version",
      rule: 'eq("1.0.0")',
    },
    {
      id: `global_${scope}_schema_version`,
      scope,
      path: "meta.schema_version",
      rule: "exists",
    },
  ]),
  {
    id: "global_context_domain",
    scope: "context",
    path: "root.domain",
    rule: "non-empty-string",
  },
  {
    id: "global_trace_root_span",
    scope: "trace",
    path: "root_span.trace_id",
    rule: "eq(trace.trace_id)",
    optional: true,
  },
  {
    id: "global_trace_root_context",
    scope: "trace",
    path: "root_span.context_id",
    rule: "if(trace, eq(trace.context_id))",
  },
  {
    id: "global_trace_event_times",
    scope: "trace",
    path: "events[*].timestamp",
    rule: "iso-datetime",
    optional: true,
  },
  {
    id: "global_confirm_status",
    scope: "confirm",
    path: "status",
    rule: "if(confirm, enum(approved,rejected))",
  },
  {
    id: "global_rejection_has_reason",
    scope: "confirm",
    path: "decisions[*].reason",
    rule: 'if(.status == "rejected", non-empty-string)',
  },
];

/** Every list, by what it is about. */
export const INVARIANTS = {
  "single-agent": SINGLE_AGENT,
  "multi-agent": MULTI_AGENT,
  observability: OBSERVABILITY,
  global: GLOBAL,
} as const;

function ofFamily(
  family: string,
  rules: Readonly<Record<string, readonly [path: string, rule: string]>>,
): readonly Invariant[] {
  return Object.entries(rules).map(([id, [path, rule]]) => ({
    id,
    scope: "event",
    path,
    rule: `if(event.event_family == "${family}", ${rule})`,
  }));
}
