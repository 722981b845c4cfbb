/** Who can cause an event: an agent is one outside that was asked something. */
export const ACTOR_KINDS = ["kernel", "host", "person", "agent", "run"] as const;

/** Who caused an event. */
export interface Actor {
  readonly kind: (typeof ACTOR_KINDS)[number];
  readonly id: string;
}
