import {
  FAILURES_MAX_DEFAULT,
  type Grant,
  RETRY_FOR_MS_DEFAULT,
  type RunBounds,
} from "@turnseal/protocol";
import { formatAmounts } from "../../screen/format-amounts.ts";
import { formatDuration } from "../../screen/format-duration.ts";
import { type Line, line, renderNext, toned } from "../../screen/line.ts";
import { renderDetail } from "../../screen/render-field.ts";
import { renderJson } from "../../screen/sanitize-text.ts";
import { shortId } from "../../screen/short-id.ts";
import { describeTurns } from "../state/describe-turns.ts";

export interface StartedRun {
  readonly run: string;
  readonly loop: string;
  readonly version: string;
  readonly grant: Grant;
  readonly bounds: Partial<RunBounds>;
  /** The name of its rules. */
  readonly policy?: string;
}

/** Renders what was started, with every bound, also where it is the default. */
export function renderStarted(started: StartedRun): Line[] {
  const { run, loop, version, grant, bounds, policy } = started;
  const { failuresMax = FAILURES_MAX_DEFAULT, goal } = bounds;
  const turns = describeTurns({ bounds, budget: grant.budget });
  const { retryForMs = RETRY_FOR_MS_DEFAULT } = bounds;
  return [
    line(toned("strong", "run"), `  ${run}`),
    ...renderDetail("loop", `${loop} ${version}`),
    ...renderDetail("grant", describeGrant(grant)),
    ...renderDetail("policy", policy ?? "none: the grant alone decides"),
    ...renderDetail("budget", formatAmounts(grant.budget)),
    ...renderDetail("bounds", `${turns}, ${failuresMax} failed in a row`),
    ...renderDetail(
      "outages",
      `wait for the provider up to ${formatDuration(retryForMs)}, then park`,
    ),
    ...renderDetail("goal", goal === undefined ? describeNoGoal(bounds) : renderJson(goal)),
    ...(bounds.schedules ?? []).flatMap(({ name, cron, timezone = "UTC" }) =>
      renderDetail("schedule", `${name} at ${cron}, ${timezone}`),
    ),
  ];
}

function describeNoGoal({ awaits = [], schedules = [] }: Partial<RunBounds>): string {
  const names = [...new Set([...awaits, ...schedules.map(({ name }) => name)])];
  return names.length === 0 ? "a turn completes" : `none: it waits for ${names.join(" or ")}`;
}

function describeGrant({ grantor, tools, expiresAt }: Grant): string {
  const named = tools.length === 0 ? "no tool" : tools.join(", ");
  return `${named}, by ${grantor}${expiresAt === undefined ? "" : `, until ${expiresAt}`}`;
}

export interface DetachedRun {
  readonly run: string;
  readonly pid: number;
  readonly log: string;
}

/** Renders where a run in the background is. */
export function renderDetached({ run, pid, log }: DetachedRun): Line[] {
  return [
    line(toned("strong", "run"), `  ${run}`),
    ...renderDetail("process", String(pid)),
    ...renderDetail("log", log),
    renderNext(`turnseal show ${shortId(run)}`),
  ];
}

/** A run that workers drive, without a watcher. */
export function renderToldEngine(run: string): Line[] {
  return [line(toned("strong", "run"), `  ${run}`), renderNext(`turnseal show ${shortId(run)}`)];
}

/** The same for programs. */
export function toStartedLine(started: StartedRun & { readonly pid?: number }): object {
  return { type: "started", ...started };
}
