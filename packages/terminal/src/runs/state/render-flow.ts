import type { FanOutCount, FlowPlace, FlowSummary, GroupEnd } from "@turnseal/views";
import { countOf } from "../../screen/count-of.ts";

/** The results of the nodes of flows: a line for each place, for any number of items. */
export function describeFlow({ fanOuts, retried, skipped, groups = [] }: FlowSummary): string[] {
  return [
    ...groups.map(describeGroup),
    ...fanOuts.map((fanOut) => `${describePlace(fanOut)}: ${describeFanOut(fanOut)}`),
    ...retried.map(
      (retry) =>
        `${describePlace(retry)}: tried again ${countOf(retry.count, "time")}, ${retry.code}`,
    ),
    ...skipped.map((skip) => {
      const code = skip.code === undefined ? "" : `, ${skip.code}`;
      return `${describePlace(skip)}: skipped${times(skip.count)}, ${SKIPPED[skip.because]}${code}`;
    }),
  ];
}

/** the group at /flow of turn 1 ended as part: local.seat done, local.pay not-done */
function describeGroup({ turn, path, outcome, members, isAsked }: GroupEnd): string {
  const ends = members.map(({ tool, end }) => `${tool} ${end}`).join(", ");
  const asked = outcome === "part" ? `; a person was ${isAsked ? "asked" : "not asked"}` : "";
  return `the group at ${path} of turn ${turn} ended as ${outcome}: ${ends}${asked}`;
}

const SKIPPED = {
  condition: "its condition did not hold",
  failed: "it failed",
  blocked: "what it reads was skipped",
} as const;

function describePlace({ loop, path }: FlowPlace): string {
  return `${loop} ${path}`.trim();
}

function times(count: number): string {
  return count === 1 ? "" : ` ${count} times`;
}

/** 12 items: 10 ok, 1 failed (item 3: TOOL_FAILED), 1 withdrawn */
function describeFanOut(fanOut: FanOutCount): string {
  const { items, ok, failed, withdrawn, open } = fanOut;
  const counts = [
    ...(ok > 0 ? [`${ok} ok`] : []),
    ...(failed > 0 ? [`${failed} failed${describeFailures(fanOut)}`] : []),
    ...(withdrawn > 0 ? [`${withdrawn} withdrawn`] : []),
    ...(open > 0 ? [`${open} not ended`] : []),
  ];
  const often = fanOut.times > 1 ? ` in ${fanOut.times} fan-outs` : "";
  const all = `${countOf(items, "item")}${often}`;
  return counts.length === 0 ? all : `${all}: ${counts.join(", ")}`;
}

/** The failed items; with several fan-outs, a number does not identify an item. */
function describeFailures({ times: often, failures }: FanOutCount): string {
  const described = failures.map(({ code, count, items }) => {
    const rest = count > items.length ? " …" : "";
    const word = count > 1 ? "items" : "item";
    return often > 1 ? `${code} ×${count}` : `${word} ${items.join(", ")}${rest}: ${code}`;
  });
  return described.length === 0 ? "" : ` (${described.join("; ")})`;
}
