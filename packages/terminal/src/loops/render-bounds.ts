import { type CheckedLoop, TRACE_EVENTS_MAX } from "@turnseal/kernel";
import {
  AMOUNT_MAX,
  multiplyTurns,
  TURN_CALLS_MAX,
  type TurnBounds,
} from "@turnseal/runtime/project";
import { formatDuration } from "../screen/format-duration.ts";
import { formatMicros } from "../screen/format-micros.ts";
import { type Line, line, toned } from "../screen/line.ts";
import { renderDetail } from "../screen/render-field.ts";

export interface LoopBounds {
  readonly loop: CheckedLoop;
  readonly bounds: TurnBounds;
  readonly turnsMax: number;
  /** True if the number of turns is the default. */
  readonly isDefaultTurns: boolean;
}

/** Renders the worst case of a loop, for one turn and for a run. */
export function renderBounds({ loop, bounds, turnsMax, isDefaultTurns }: LoopBounds): Line[] {
  const { id, version } = loop.definition;
  const run = multiplyTurns(bounds, turnsMax);
  const defaults = [...(isDefaultTurns ? [nameTurns(turnsMax)] : []), ...bounds.defaults];
  const show = (name: string, turn: string, whole: string): Line[] =>
    renderDetail(name, `${turn} a turn, ${whole} a run of ${turnsMax}`);
  return [
    line(toned("strong", id), ` ${version}  at most`),
    ...show("time", formatDuration(bounds.activeMs), formatDuration(run.activeMs)),
    ...(loop.flow === undefined
      ? []
      : show("calls", `${count(bounds.calls)} of loops`, count(run.calls))),
    ...show("models", `${count(bounds.modelCalls)} requests`, count(run.modelCalls)),
    ...show("tools", `${count(bounds.toolCalls)} executions`, count(run.toolCalls)),
    ...(bounds.inputTokens === null || run.inputTokens === null
      ? renderDetail("input", "bounded only by a budget: --budget inputTokens=<n>")
      : show("input", `${count(bounds.inputTokens)} tokens`, count(run.inputTokens))),
    ...show("output", `${count(bounds.outputTokens)} tokens`, count(run.outputTokens)),
    ...renderMoney(bounds, run.moneyMicros, show),
    ...(bounds.waits === 0 ? [] : show("waits", count(bounds.waits), count(run.waits))),
    ...(bounds.events > TRACE_EVENTS_MAX
      ? renderDetail(
          "events",
          `${count(bounds.events)} or more when all of it happens: ${ROOM_NOTE}`,
        )
      : []),
    ...(bounds.isHeldByTrace ? renderDetail("trace", TRACE_NOTE) : []),
    ...defaults.flatMap((text) => renderDetail("default", text)),
  ];
}

/** Empty if no model is asked. */
function renderMoney(
  { modelCalls, moneyMicros, inputTokens, unpriced }: TurnBounds,
  run: number | null,
  show: (name: string, turn: string, whole: string) => Line[],
): Line[] {
  if (modelCalls === 0) return [];
  if (moneyMicros !== null && run !== null) return show("money", money(moneyMicros), money(run));
  const unknown = unpriced.map((model) => `no price is known for ${model}: --prices <file>`);
  const budget = "bounded only by a budget: --budget moneyMicros=<n>";
  const isUnbounded = inputTokens === null || unknown.length === 0;
  return [...unknown, ...(isUnbounded ? [budget] : [])].flatMap((text) =>
    renderDetail("money", text),
  );
}

function money(micros: number): string {
  return micros >= AMOUNT_MAX ? "too much to count" : formatMicros(micros);
}

/** An amount; a text if it is too large to count. */
function count(amount: number): string {
  return amount >= AMOUNT_MAX ? "too many to count" : String(amount);
}

const ROOM_NOTE = `${TRACE_EVENTS_MAX} fit into a turn, then it fails with BUDGET_EXCEEDED`;
const TRACE_NOTE = `what repeats, or a model may ask for: ${TURN_CALLS_MAX} calls fit into a turn`;

function nameTurns(turnsMax: number): string {
  return `turnsMax ${turnsMax}; none in a run that awaits signals`;
}

/** The same for programs. */
export function toJsonBounds({ loop, bounds, turnsMax, isDefaultTurns }: LoopBounds): object {
  const { id, version } = loop.definition;
  const { defaults, isHeldByTrace, unpriced, ...turn } = bounds;
  const named = isDefaultTurns ? [nameTurns(turnsMax), ...defaults] : defaults;
  return {
    id,
    version,
    turn,
    run: multiplyTurns(bounds, turnsMax),
    isHeldByTrace,
    defaults: named,
    unpriced,
  };
}
