import type { CallErrorCode, LoopResult } from "@turnseal/protocol";
import { type Line, line, renderNext, toned } from "../screen/line.ts";

/** How many problems of a failed validation are shown. */
export const RESULT_PROBLEMS_MAX = 20;

type FailedResult = Extract<LoopResult, { status: "error" }>;

/** Renders why a call failed, and which command says more. */
export function renderFailure(result: FailedResult, from: readonly string[] | undefined): Line[] {
  const { code, message, details, reason } = result.error;
  const problems = details.problems ?? [];
  const left = problems.length - RESULT_PROBLEMS_MAX;
  return [
    line(toned("bad", code), "  ", message),
    ...problems.slice(0, RESULT_PROBLEMS_MAX).map((problem) => line("  ", problem)),
    ...(left > 0 ? [line("  ", toned("faint", `and ${left} more`))] : []),
    ...(reason === undefined ? [] : [line("  ", toned("faint", "reason: "), reason)]),
    renderNext(nextCommand(code, result.loopId, from)),
  ];
}

function nextCommand(
  code: CallErrorCode,
  loopId: string,
  from: readonly string[] | undefined,
): string {
  switch (code) {
    case "INPUT_VALIDATION_FAILED":
    case "OUTPUT_VALIDATION_FAILED":
      return `turnseal loops ${loopId}  (shows its schemas)`;
    case "LOOP_NOT_FOUND":
      return listingCommand(from);
    case "CANCELLED":
      return `turnseal call ${loopId}  (calls it again)`;
    default:
      return "the same command with --trace  (shows every event)";
  }
}

/** The command that lists what is in these places. */
export function listingCommand(from: readonly string[] | undefined): string {
  const place = from === undefined ? "" : ` --from ${from.join(" ")}`;
  return `turnseal loops${place}  (lists what is there)`;
}
