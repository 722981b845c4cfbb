/** Counts events of runs, by tenant, loop, tool and cause. */

import type { Observer } from "@turnseal/ports";
import { MODEL_ERROR_CODES } from "@turnseal/protocol";
import { type MeasuredAction, type MeasuredRun, measureRuns } from "@turnseal/views";
import type { Labels, MetricSet } from "./metric-set.ts";

/** Replaces a name that is not known here. */
export const UNKNOWN = "unknown";

/** An observer that counts. */
export function countRuns(set: MetricSet): Observer {
  const turns = set.counter("turnseal_turns_total", "Turns that were closed.");
  const causes = set.counter("turnseal_turn_failures_total", "Turns that did not complete.");
  const stops = set.counter("turnseal_runs_stopped_total", "Runs that have stopped.");
  const unknown = set.counter("turnseal_actions_unknown_total", "Actions of unknown end.");
  const limits = set.counter("turnseal_limits_total", "Rate limits that were asked for a lease.");
  const limitWaits = set.histogram("turnseal_limit_wait_seconds", "Waits for a lease.");
  const quarantined = set.counter(
    "turnseal_runs_quarantined_total",
    "Runs that took workers down.",
  );
  const turnSeconds = set.histogram("turnseal_turn_seconds", "From begin to close of a turn.");
  const countAction = countActions(set);
  const measure = measureRuns({
    onTurn: (run, { outcome, reason, seconds }) => {
      turns.add({ ...labelsOf(run), outcome });
      const { loop } = labelsOf(run);
      if (outcome !== "completed") causes.add({ loop, outcome, reason: reason ?? "none" });
      if (seconds !== undefined) turnSeconds.observe({ loop }, seconds);
    },
    onStop: (run, reason) => stops.add({ ...labelsOf(run), reason }),
    onAction: countAction,
    onUnknown: ({ tenant }, { action, status, name = UNKNOWN }) =>
      unknown.add({ tenant, action, name, status }),
    onLimit: ({ tenant }, answer, seconds) => {
      limits.add({ tenant, answer });
      limitWaits.observe({}, seconds);
    },
    onBlocked: ({ tenant }, cause) => {
      if (cause === "quarantined") quarantined.add({ tenant });
    },
  });
  return {
    name: "metrics",
    onEvent: (event, { tenant, loop }) => measure(event, { tenant, loop }),
  };
}

function countActions(set: MetricSet): (run: MeasuredRun, measured: MeasuredAction) => void {
  const actions = set.counter("turnseal_actions_total", "Actions that were settled.");
  const failures = set.counter("turnseal_action_failures_total", "Actions that did not succeed.");
  const seconds = set.histogram("turnseal_action_seconds", "How long actions took.");
  const tokens = set.counter("turnseal_tokens_total", "Tokens of models.");
  const modelTokens = set.counter("turnseal_model_tokens_total", "Tokens by model.");
  const money = set.counter("turnseal_money_micros_total", "Money, in millionths.");
  return (run, measured) => {
    const { action, name = UNKNOWN, status, moneyMicros } = measured;
    const { loop } = labelsOf(run);
    actions.add({ loop, action, name, status });
    seconds.observe({ action, name }, measured.seconds);
    if (status !== "ok") failures.add({ action, name, cause: causeOf(measured) });
    for (const [kind, count] of [
      ["input", measured.inputTokens] as const,
      ["output", measured.outputTokens] as const,
    ]) {
      if (count === 0) continue;
      tokens.add({ ...labelsOf(run), kind }, count);
      modelTokens.add({ name, kind }, count);
    }
    if (moneyMicros > 0) money.add(labelsOf(run), moneyMicros);
  };
}

const modelErrors: ReadonlySet<string> = new Set(MODEL_ERROR_CODES);

/** A foreign model may fail with any word: only known ones are labels. */
function causeOf({ failure, status }: MeasuredAction): string {
  return failure !== undefined && modelErrors.has(failure) ? failure : status;
}

function labelsOf({ tenant, loop = UNKNOWN }: MeasuredRun): Labels & { readonly loop: string } {
  return { tenant, loop };
}
