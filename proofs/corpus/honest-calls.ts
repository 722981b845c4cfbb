/** How calls end: well, as failed, or answered from a cache. */
import { type Place, placeOf, type RunWriter, reference } from "./run-writer.ts";

const FAILURE = {
  code: "TOOL_FAILED",
  message: "the tool failed",
  details: { lsr: "EXECUTION_FAILED" },
};

/** The end of a call that has its output, or has failed. */
export function endCall(writer: RunWriter, place: Place, isGood: boolean): void {
  if (!isGood) {
    writer.add("call.errored", FAILURE, placeOf(place));
    return;
  }
  writer.add("call.output.validated", { durationMs: 0 }, placeOf(place));
  writer.add("call.completed", { durationMs: 0 }, placeOf(place));
}

/** A call that is answered from a cache does nothing itself. */
export function recall(writer: RunWriter, place: Place): void {
  const { random } = writer;
  const { tools } = place.grant;
  const isTool = tools.length > 0 && !isOver(writer, place) && random.next() < 0.5;
  const content = {
    ...{ key: reference("asked")["digest"] ?? "", strategy: "ephemeral" },
    ...{ result: reference("result"), from: { run: writer.run, turn: 1, call: "earlier" } },
    ...(isTool ? { tool: random.pick(tools) } : {}),
  };
  writer.add("cache.hit", content, placeOf(place));
}

/** Whether the grant has ended: nothing of its tools is given any more. */
function isOver(writer: RunWriter, { grant: { expiresAt } }: Place): boolean {
  return expiresAt !== undefined && !(writer.now() < expiresAt);
}
