import { countOf } from "../../screen/count-of.ts";
import { formatMicros } from "../../screen/format-micros.ts";
import { type Line, line, renderNext, toned } from "../../screen/line.ts";

export interface Costs {
  readonly by: string;
  /** The day that the prices are of. */
  readonly pricesAsOf: string;
  readonly rows: readonly CostsRow[];
  /** Models without a price, and how often they were asked. */
  readonly unpriced: readonly { readonly model: string; readonly requests: number }[];
}

export interface CostsRow {
  readonly name: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the requests that have a price. */
  readonly moneyMicros: number;
  readonly unpriced: number;
}

/** Renders costs as a table. A request without a price is never shown as free. */
export function renderCosts({ by, rows, unpriced, pricesAsOf }: Costs): Line[] {
  if (rows.length === 0) return [line("no model was asked")];
  const cells = [[by, "requests", "input", "output", "cost"], ...rows.map(toCells)];
  const widths = [0, 1, 2, 3, 4].map((at) =>
    cells.reduce((widest, row) => Math.max(widest, (row[at] ?? "").length), 0),
  );
  const pad = (row: readonly string[]): string =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ");
  return [
    ...cells.map((row, at) => (at === 0 ? line(toned("faint", pad(row))) : line(pad(row)))),
    ...unpriced.map(({ model, requests }) =>
      line(toned("warning", "no price  "), `${model}, ${countOf(requests, "request")}`),
    ),
    ...(unpriced.length === 0 ? [] : [renderNext("turnseal costs --prices <file>")]),
    line(toned("faint", `list prices of ${pricesAsOf}; what you pay may differ`)),
  ];
}

function toCells({ name, requests, inputTokens, outputTokens, ...row }: CostsRow): string[] {
  const money = row.unpriced === requests ? "unknown" : formatMicros(row.moneyMicros);
  const rest = row.unpriced > 0 && row.unpriced < requests ? " and more" : "";
  return [name, ...[requests, inputTokens, outputTokens].map(String), `${money}${rest}`];
}
