/** The groups of costs, as `--by` names them. A day is one of UTC. */
export const COSTS_BY = ["day", "loop", "tenant"] as const;
