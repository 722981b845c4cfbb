/**
 * Where each event of the log appears in each view (spec/views.md §2).
 *
 * The table is total: a type that is added to the log does not compile before every view has
 * answered for it. A test compares the table with real runs, event by event.
 */
import type { LogEventType } from "@turnseal/protocol/trace";

/** The views of a run, in the order of the table. */
export const VIEWS = ["lsem", "session", "mplp", "receipt", "prov", "graph"] as const;
export type View = (typeof VIEWS)[number];

/** An event's appearance in a view: always, or depending on its content. */
export interface Appearance {
  readonly always?: readonly string[];
  readonly sometimes?: readonly string[];
}

export type EventViews = Readonly<Record<View, Appearance>>;

/** Every native type, and what vendors record. */
export type ViewTable = Readonly<Record<LogEventType | "vendor", EventViews>>;

const never: Appearance = {};
const as = (...always: readonly string[]): Appearance => ({ always });
const maybe = (...sometimes: readonly string[]): Appearance => ({ sometimes });

/** A receipt is of a turn: it has every event of it, once the turn is closed. */
const sealed = maybe("events");
const ended = ["tool-result", "tool-error"];
const plansEnd = ["plan_status_changed"];

export const VIEW_TABLE: ViewTable = {
  "run.started": {
    lsem: never,
    session: maybe("user-message", "trigger", "loop-triggered"),
    mplp: {
      always: ["context_created", "context_status_changed", "role_created"],
      sometimes: ["user_message_received", "signal_received"],
    },
    receipt: never,
    prov: {
      always: ["activity", "agent", "wasAssociatedWith", "used"],
      sometimes: ["entity"],
    },
    graph: as("context", "role"),
  },
  "run.decided": nowhere(never),
  "run.blocked": nowhere(never),
  "run.stopped": {
    ...nowhere(never),
    session: maybe("generation-failure"),
    mplp: maybe("budget_exceeded", "MAPSessionCompleted", "RollbackCompleted"),
    prov: as("wasEndedBy"),
  },
  "run.resolved": nowhere(never),
  "signal.received": {
    ...nowhere(sealed),
    session: maybe("user-message", "trigger", "user-abort"),
    mplp: maybe("user_message_received", "signal_received"),
    prov: maybe("entity", "agent", "wasAttributedTo"),
  },
  "turn.started": {
    ...nowhere(sealed),
    mplp: as("SAInitialized", "SAContextLoaded", "trace_created", "trace_updated"),
    prov: { always: ["activity", "wasInformedBy", "used"], sometimes: ["entity"] },
    graph: as("trace"),
  },
  "turn.denied": nowhere(sealed),
  "turn.resumed": nowhere(sealed),
  "turn.waiting": nowhere(sealed),
  "turn.closed": {
    ...nowhere(sealed),
    session: maybe("generation-failure", "assistant-message"),
    mplp: {
      always: ["trace_updated", "trace_cost_summary", "SATraceEmitted", "SACompleted"],
      sometimes: ["plan_status_changed", "confirm_resolved"],
    },
    prov: { always: ["wasEndedBy"], sometimes: ["wasGeneratedBy", "entity"] },
    graph: { always: ["trace"], sometimes: ["plan", "confirm"] },
  },
  "call.started": {
    ...nowhere(maybe("events", "loops")),
    lsem: as("call.started"),
    prov: as("activity", "wasInformedBy"),
  },
  "call.input.validated": { ...nowhere(sealed), lsem: as("call.input.validated") },
  "call.output.validated": { ...nowhere(sealed), lsem: as("call.output.validated") },
  "call.completed": {
    ...nowhere(sealed),
    lsem: as("call.completed"),
    session: maybe("tool-result", "tool-error"),
    mplp: maybe(...plansEnd),
    prov: as("wasEndedBy"),
    graph: maybe("plan"),
  },
  "call.errored": {
    ...nowhere(sealed),
    lsem: as("call.errored"),
    session: maybe("tool-error"),
    mplp: maybe(...plansEnd),
    prov: as("wasEndedBy"),
    graph: maybe("plan"),
  },
  "child.started": {
    ...nowhere(sealed),
    lsem: as("child.started"),
    session: maybe("tool-call"),
    mplp: maybe(
      ...["plan_created", "SAPlanEvaluated", "plan_status_changed", "confirm_created"],
      ...["trace_updated", "confirm_resolved", "step_added", "step_started", "SAStepStarted"],
      ...["segment_added", "segment_updated"],
    ),
    graph: maybe("plan", "confirm", "trace", "step", "segment"),
  },
  "child.completed": {
    ...nowhere(sealed),
    lsem: as("child.completed"),
    mplp: maybe(
      ...["step_completed", "SAStepCompleted", "step_failed", "SAStepFailed"],
      "segment_updated",
    ),
    graph: maybe("step", "segment"),
  },
  "fanout.fixed": nowhere(sealed),
  "item.closed": { ...nowhere(sealed), session: maybe("tool-error") },
  "step.retried": nowhere(sealed),
  "step.skipped": {
    ...nowhere(sealed),
    mplp: maybe("step_status_changed"),
    graph: maybe("step"),
  },
  "group.closed": { ...nowhere(sealed), receipt: maybe("events", "groups") },
  "action.claimed": {
    lsem: maybe("call.backend.requested", "call.tool.invoked", "child.started"),
    session: maybe("tool-call", "tool-result", "tool-error"),
    mplp: maybe(
      ...["llm_call_started", "tool_execution_started", "agent_execution_started"],
      ...["MAPSessionStarted", "MAPRolesAssigned", "MAPTurnDispatched", "confirm_resolved"],
      "RollbackInitiated",
    ),
    receipt: maybe("events", "effects"),
    prov: {
      always: ["activity", "wasInformedBy", "wasAssociatedWith"],
      sometimes: ["agent", "entity", "used"],
    },
    graph: maybe("confirm"),
  },
  "action.settled": {
    lsem: maybe("call.backend.responded", "call.tool.returned", "child.completed"),
    session: maybe(
      ...["assistant-message", "other-agent-message", "reasoning"],
      ...[...ended, "child-generation"],
    ),
    mplp: maybe(
      ...["llm_call_completed", "tool_execution_completed", "agent_execution_completed"],
      ...["token_usage_recorded", "MAPTurnCompleted"],
    ),
    receipt: maybe("events", "effects"),
    prov: { always: ["wasEndedBy"], sometimes: ["entity", "wasGeneratedBy"] },
    graph: never,
  },
  "action.unknown": nowhere(sealed),
  "action.resolved": {
    lsem: maybe("call.tool.returned"),
    session: maybe(...ended),
    mplp: maybe(
      ...["llm_call_completed", "tool_execution_completed", "agent_execution_completed"],
      ...["token_usage_recorded", "MAPTurnCompleted"],
    ),
    receipt: maybe("events", "effects"),
    prov: { always: ["wasEndedBy"], sometimes: ["entity", "wasGeneratedBy"] },
    graph: never,
  },
  "cache.hit": {
    ...nowhere(sealed),
    session: maybe("tool-call"),
    prov: { always: ["used"], sometimes: ["entity"] },
  },
  "approval.requested": {
    ...nowhere(maybe("events", "effects")),
    session: maybe("tool-call"),
    mplp: maybe("confirm_created", "confirm_resolved"),
    prov: as("entity", "wasGeneratedBy"),
    graph: maybe("confirm"),
  },
  "approval.decided": {
    ...nowhere(maybe("events", "effects")),
    session: maybe("tool-call"),
    mplp: maybe("confirm_resolved"),
    prov: { always: ["activity", "wasAssociatedWith", "used"], sometimes: ["agent"] },
    graph: maybe("confirm"),
  },
  "approval.expired": {
    ...nowhere(sealed),
    mplp: maybe("confirm_resolved"),
    graph: maybe("confirm"),
  },
  "question.asked": {
    ...nowhere(sealed),
    lsem: maybe("call.tool.invoked"),
    session: maybe("tool-call"),
    prov: as("entity", "wasGeneratedBy"),
  },
  "question.answered": {
    ...nowhere(sealed),
    lsem: maybe("call.tool.returned"),
    session: maybe("other-agent-message"),
    mplp: maybe("clarification_received"),
    prov: maybe("entity", "agent", "wasAttributedTo", "wasDerivedFrom"),
  },
  "plan.proposed": {
    ...nowhere(sealed),
    mplp: {
      always: ["plan_created", "SAPlanEvaluated", "plan_status_changed", "confirm_created"],
      sometimes: ["trace_updated"],
    },
    prov: { always: ["wasGeneratedBy"], sometimes: ["entity"] },
    graph: { always: ["plan", "confirm"], sometimes: ["trace"] },
  },
  "plan.decided": {
    ...nowhere(sealed),
    mplp: { always: ["confirm_resolved"], sometimes: ["plan_status_changed"] },
    graph: { always: ["confirm"], sometimes: ["plan"] },
  },
  "plan.closed": { ...nowhere(sealed), mplp: maybe(...plansEnd), graph: maybe("plan") },
  "note.added": {
    ...nowhere(sealed),
    prov: { always: ["wasGeneratedBy"], sometimes: ["entity"] },
  },
  "note.expired": nowhere(sealed),
  "drift.reconciled": { ...nowhere(never), mplp: as("DriftResolved") },
  "artifact.adopted": nowhere(never),
  log: { ...nowhere(sealed), lsem: as("log") },
  vendor: { ...nowhere(sealed), lsem: as("its own type") },
};

/** An event that no view shows, but for the receipt. */
function nowhere(receipt: Appearance): EventViews {
  return { lsem: never, session: never, mplp: never, receipt, prov: never, graph: never };
}
