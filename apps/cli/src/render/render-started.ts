import {
  FAILURES_MAX_DEFAULT,
  type Grant,
  type RunPolicy,
  TURNS_MAX_DEFAULT,
} from "@turnseal/protocol";
import { formatAmounts } from "./format-amounts.ts";
import { type Line, line, toned } from "./line.ts";
import { renderDetail } from "./render-field.ts";
import { renderJson } from "./sanitize-text.ts";
import { shortId } from "./short-id.ts";

export interface StartedRun {
  readonly run: string;
  readonly loop: string;
  readonly version: string;
  readonly grant: Grant;
  readonly policy: Partial<RunPolicy>;
}

/** Renders what was started, with every bound, also where it is the default. */
export function renderStarted({ run, loop, version, grant, policy }: StartedRun): Line[] {
  const { turnsMax = TURNS_MAX_DEFAULT, failuresMax = FAILURES_MAX_DEFAULT, goal } = policy;
  return [
    line(toned("strong", "run"), `  ${run}`),
    ...renderDetail("loop", `${loop} ${version}`),
    ...renderDetail("grant", describeGrant(grant)),
    ...renderDetail("budget", formatAmounts(grant.budget)),
    ...renderDetail("policy", `at most ${turnsMax} turns, ${failuresMax} failed in a row`),
    ...renderDetail("goal", goal === undefined ? "a turn completes" : renderJson(goal)),
  ];
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
    line("  ", toned("faint", "next: "), `turnseal show ${shortId(run)}`),
  ];
}

/** The same for programs. */
export function toStartedLine(started: StartedRun & { readonly pid?: number }): object {
  return { type: "started", ...started };
}
