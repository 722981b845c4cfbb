/** The types of what happens in a session, in the order of the wire protocol: a closed list. */
export const EVENT_TYPES = [
  "user-message",
  "assistant-message",
  "tool-call",
  "tool-result",
  "tool-error",
  "trigger",
  "loop-triggered",
  "other-agent-message",
  "user-abort",
  "child-generation",
  "generation-failure",
  "reasoning",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
