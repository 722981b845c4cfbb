// The fold of a session and its frames, for proofs.

export { applyDelta } from "./session/apply-delta.ts";
export { applyEnvelope } from "./session/apply-envelope.ts";
export { applyStatus } from "./session/apply-status.ts";
export { listItems } from "./session/list-items.ts";
export { emptySession, type SessionState } from "./session/session-state.ts";
export { type Frame, parseFrame } from "./wire/parse-frame.ts";
export type { CommandAnswer } from "./wire/post-command.ts";
