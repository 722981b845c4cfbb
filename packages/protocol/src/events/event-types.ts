/** Every type of native event: a closed list (spec/events.md). */
export const LOG_EVENT_TYPES = [
  "run.started",
  "run.decided",
  "run.blocked",
  "run.stopped",
  "run.resolved",
  "signal.received",
  "turn.started",
  "turn.denied",
  "turn.resumed",
  "turn.waiting",
  "turn.closed",
  "call.started",
  "call.input.validated",
  "call.output.validated",
  "call.completed",
  "call.errored",
  "child.started",
  "child.completed",
  "fanout.fixed",
  "item.closed",
  "step.retried",
  "step.skipped",
  "group.closed",
  "action.claimed",
  "action.settled",
  "action.unknown",
  "action.resolved",
  "cache.hit",
  "approval.requested",
  "approval.decided",
  "approval.expired",
  "question.asked",
  "question.answered",
  "plan.proposed",
  "plan.decided",
  "plan.closed",
  "note.added",
  "note.expired",
  "drift.reconciled",
  "artifact.adopted",
  "log",
] as const;
export type LogEventType = (typeof LOG_EVENT_TYPES)[number];

const nativeTypes: ReadonlySet<string> = new Set(LOG_EVENT_TYPES);

/** True for the type of a native event. */
export function isLogEventType(type: string): type is LogEventType {
  return nativeTypes.has(type);
}

const PLAN_EVENT_TYPES = ["plan.proposed", "plan.decided", "plan.closed"] as const;
export type PlanEventType = (typeof PLAN_EVENT_TYPES)[number];

/** True for the type of an event about a plan. */
export function isPlanEventType(type: string): type is PlanEventType {
  return (PLAN_EVENT_TYPES as readonly string[]).includes(type);
}

/** True for an event about a plan: folds of a run's actions may skip it. */
export function isOfPlan<Event extends { readonly type: string }>(
  event: Event,
): event is Extract<Event, { readonly type: PlanEventType }> {
  return isPlanEventType(event.type);
}

const FILE_EVENT_TYPES = ["drift.reconciled", "artifact.adopted"] as const;
export type FileEventType = (typeof FILE_EVENT_TYPES)[number];

/** True for the type of a person's answer about files. */
export function isFileEventType(type: string): type is FileEventType {
  return (FILE_EVENT_TYPES as readonly string[]).includes(type);
}

/** True for a person's answer about files: folds of a turn's actions may skip it. */
export function isOfFiles<Event extends { readonly type: string }>(
  event: Event,
): event is Extract<Event, { readonly type: FileEventType }> {
  return isFileEventType(event.type);
}

// The first segments that our own types use. A vendor's event may not look like one of ours, today
// or later.
const ownNamespaces: ReadonlySet<string> = new Set([
  ...LOG_EVENT_TYPES.map((type) => type.split(".")[0] ?? type),
  ...["artifact", "drift", "rollback", "graph", "turnseal"],
]);
const vendorPattern = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/;

/** The longest name a vendor may give to an event type. */
export const VENDOR_TYPE_LENGTH_MAX = 100;

// "Any text but those of ours" is no type. A member of an enumeration is a text that equals no
// literal. So a comparison with one of our types leaves a native event, and an event that matches
// none of them is a vendor's. No value ever has this type.
declare enum OfVendors {
  type = "",
}

/**
 * A vendor's event type: dotted, lower case, in a namespace of its own. No text is one before
 * `isVendorEventType` has looked at it.
 */
export type VendorEventType = OfVendors.type;

/** True for a name that a tool may emit. */
export function isVendorEventType(type: string): type is VendorEventType {
  if (type.length > VENDOR_TYPE_LENGTH_MAX || !vendorPattern.test(type)) return false;
  return !ownNamespaces.has(type.split(".")[0] ?? "");
}
