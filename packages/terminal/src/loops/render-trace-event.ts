import type { TraceEvent } from "@turnseal/protocol/trace";
import { type Line, line, toned } from "../screen/line.ts";
import { renderJson } from "../screen/sanitize-text.ts";

const CALL_SHOWN = 8;

/** Renders an event of the LSEM trace as one line: time, call, type, payload. */
export function renderTraceEvent({ ts, callId, type, payload }: TraceEvent): Line {
  return line(
    toned("faint", `${ts} ${callId.slice(0, CALL_SHOWN)} `),
    toned(type === "call.errored" ? "bad" : "strong", type),
    payload === undefined ? "" : ` ${renderJson(payload)}`,
  );
}
