import { unreachable } from "@turnseal/protocol";
import type { ActionRow, CallRow, ItemsRow, NoteRow, Row, RowState } from "@turnseal/views";
import { countOf } from "../screen/count-of.ts";
import { formatDuration } from "../screen/format-duration.ts";
import { type Line, type Span, type Tone, toned } from "../screen/line.ts";
import { formatUsage } from "./format-usage.ts";

/**
 * Facts for a row that are not in the events: the time, for parts that still run, and the mark of
 * "running".
 */
export interface RowMoment {
  readonly nowMs?: number;
  readonly runningMark: string;
}

const INDENT = "  ";

/** Renders a row of the tree as one line. */
export function renderRow(row: Row, moment: RowMoment): Line {
  const indent = { text: INDENT.repeat(row.depth) };
  switch (row.kind) {
    case "call":
      return { spans: [indent, ...renderCall(row, moment)], ...renderEnd(row, moment) };
    case "action":
      return { spans: [indent, ...renderAction(row, moment)], ...renderEnd(row, moment) };
    case "items":
      return { spans: [indent, ...renderItems(row, moment)], ...renderEnd(row, moment) };
    case "note":
      return { spans: [indent, toned(noteTones[row.level], row.level), { text: ` ${row.text}` }] };
    default:
      return unreachable(row);
  }
}

const noteTones: Readonly<Record<NoteRow["level"], Tone>> = {
  debug: "faint",
  info: "accent",
  warn: "warning",
  error: "bad",
  event: "accent",
};

function renderCall(row: CallRow, moment: RowMoment): Span[] {
  const version = row.version === "" ? [] : [toned("faint", ` ${row.version}`)];
  const failure = row.failure === undefined ? [] : [toned("bad", ` ${row.failure}`)];
  return [renderMark(row.state, moment), toned("strong", ` ${row.loop}`), ...version, ...failure];
}

function renderAction(row: ActionRow, moment: RowMoment): Span[] {
  const { usage } = row;
  const tokens = usage === undefined ? [] : [toned("faint", ` ${formatUsage(usage)}`)];
  return [
    renderMark(row.state, moment),
    toned("faint", ` ${row.action}`),
    toned("accent", ` ${row.name}`),
    ...tokens,
  ];
}

function renderItems(row: ItemsRow, moment: RowMoment): Span[] {
  const { items, ok, failed, withdrawn } = row;
  const counts = [
    ...(ok > 0 ? [`${ok} ok`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(withdrawn > 0 ? [`${withdrawn} withdrawn`] : []),
  ];
  const counted = counts.length === 0 ? "" : `: ${counts.join(", ")}`;
  return [renderMark(row.state, moment), { text: ` ${countOf(items, "item")}${counted}` }];
}

function renderMark(state: RowState, { runningMark }: RowMoment): Span {
  switch (state) {
    case "ok":
      return toned("good", "✓");
    case "failed":
      return toned("bad", "✗");
    case "asks":
      return toned("warning", "?");
    case "running":
      return toned("warning", runningMark);
  }
}

function renderEnd(row: CallRow | ActionRow | ItemsRow, { nowMs }: RowMoment): Pick<Line, "end"> {
  const elapsedMs = nowMs === undefined ? undefined : nowMs - Date.parse(row.startedAt);
  const durationMs = row.durationMs ?? elapsedMs;
  if (durationMs === undefined) return {};
  return { end: toned("faint", formatDuration(Math.max(durationMs, 0))) };
}
