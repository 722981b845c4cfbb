/**
 * Properties of a whole log that a vector can ask for by name (spec/conformance.md, "Event rules").
 */
export const EVENT_RULE_NAMES = ["chained", "events-in-time", "one-end-per-claim"] as const;
export type EventRuleName = (typeof EVENT_RULE_NAMES)[number];
