/**
 * Properties of a whole session that a vector can ask for by name (spec/conformance.md, "Session
 * rules").
 */
export const SESSION_RULE_NAMES = ["well-formed", "in-order", "paired"] as const;
export type SessionRuleName = (typeof SESSION_RULE_NAMES)[number];
