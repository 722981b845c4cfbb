import type { RunProjection } from "@turnseal/folds";
import { dues } from "@turnseal/host";
import type { StopReason } from "@turnseal/protocol";

/** A run in a list: its state, without content. */
export interface RunRow {
  readonly run: string;
  readonly loop: string;
  readonly version: string;
  readonly status: RunStatus;
  readonly stopped?: StopReason;
  readonly startedAt: string | null;
  readonly startedBy: string | null;
  readonly changedAt: string | null;
  readonly turns: number;
  readonly requests: number;
}

type RunStatus = "running" | "waiting" | "done";

/** Without a projection, it was started and not yet driven. */
export function describeRun(run: string, projection: RunProjection | undefined): RunRow {
  const { spec, stopped = null, startedAt, startedBy, lastAt, turns = 0 } = projection ?? {};
  return {
    ...{ run, loop: spec?.loop ?? "", version: spec?.version ?? "" },
    status: projection === undefined ? "running" : statusOf(projection),
    ...(stopped === null ? {} : { stopped }),
    ...{ startedAt: startedAt ?? null, startedBy: startedBy?.id ?? null },
    ...{ changedAt: lastAt ?? null, turns },
    requests: projection?.openTurn?.asked.length ?? 0,
  };
}

function statusOf(projection: RunProjection): RunStatus {
  const { kind } = dues(projection);
  if (kind === "done") return "done";
  return kind === "wait" ? "waiting" : "running";
}
