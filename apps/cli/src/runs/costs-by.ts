/** What costs can be counted by, as `--by` names it. A day is one of UTC. */
export const COSTS_BY = ["day", "loop", "tenant"] as const;
