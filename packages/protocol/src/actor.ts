/**
 * The kinds of actors that can cause an event: `agent` is an outside agent that gets a question.
 */
export const ACTOR_KINDS = ["kernel", "host", "person", "agent", "run"] as const;

/** The actor that caused an event. */
export interface Actor {
  readonly kind: (typeof ACTOR_KINDS)[number];
  readonly id: string;
}
