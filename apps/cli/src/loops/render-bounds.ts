import type { CheckedLoop } from "@turnseal/kernel";
import { multiplyTurns, TURN_CALLS_MAX, type TurnBounds } from "@turnseal/runtime/project";
import { formatDuration } from "../terminal/format-duration.ts";
import { type Line, line, toned } from "../terminal/line.ts";
import { renderDetail } from "../terminal/render-field.ts";

export interface LoopBounds {
  readonly loop: CheckedLoop;
  readonly bounds: TurnBounds;
  readonly turnsMax: number;
  /** True when nobody named the number of turns. */
  readonly isDefaultTurns: boolean;
}

/** Renders the worst case of a loop, for one turn and for a run. */
export function renderBounds({ loop, bounds, turnsMax, isDefaultTurns }: LoopBounds): Line[] {
  const { id, version } = loop.definition;
  const run = multiplyTurns(bounds, turnsMax);
  const defaults = [...(isDefaultTurns ? [`turnsMax ${turnsMax}`] : []), ...bounds.defaults];
  const show = (name: string, turn: string, whole: string): Line[] =>
    renderDetail(name, `${turn} a turn, ${whole} a run of ${turnsMax}`);
  return [
    line(toned("strong", id), ` ${version}  at most`),
    ...show("time", formatDuration(bounds.activeMs), formatDuration(run.activeMs)),
    ...show("models", `${bounds.modelCalls} requests`, String(run.modelCalls)),
    ...show("tools", `${bounds.toolCalls} executions`, String(run.toolCalls)),
    ...(bounds.inputTokens === null || run.inputTokens === null
      ? renderDetail("input", "bounded only by a budget: --budget inputTokens=<n>")
      : show("input", `${bounds.inputTokens} tokens`, String(run.inputTokens))),
    ...show("output", `${bounds.outputTokens} tokens`, String(run.outputTokens)),
    ...(bounds.isHeldByTrace ? renderDetail("trace", TRACE_NOTE) : []),
    ...defaults.flatMap((text) => renderDetail("default", text)),
  ];
}

const TRACE_NOTE = `the tools that a model may ask for: ${TURN_CALLS_MAX} calls fit into a turn`;

/** The same for programs. */
export function toJsonBounds({ loop, bounds, turnsMax, isDefaultTurns }: LoopBounds): object {
  const { id, version } = loop.definition;
  const { defaults, isHeldByTrace, ...turn } = bounds;
  const named = isDefaultTurns ? [`turnsMax ${turnsMax}`, ...defaults] : defaults;
  return {
    id,
    version,
    turn,
    run: multiplyTurns(bounds, turnsMax),
    isHeldByTrace,
    defaults: named,
  };
}
