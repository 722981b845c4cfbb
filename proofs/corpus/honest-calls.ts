/** How calls end: well, as failed, or answered from a cache. */
import { type Place, placeOf, type RunWriter, reference } from "./run-writer.ts";

const FAILURE = {
  code: "TOOL_FAILED",
  message: "the tool failed",
  details: { lsr: "EXECUTION_FAILED" },
};

/** The end of a call that has its output, or has failed. */
export function endCall(writer: RunWriter, place: Place, isGood: boolean): boolean {
  if (!isGood || !isDone(writer, place)) {
    writer.add("call.errored", FAILURE, placeOf(place));
    return false;
  }
  writer.add("call.output.validated", { durationMs: 0 }, placeOf(place));
  writer.add("call.completed", { durationMs: 0 }, placeOf(place));
  return true;
}

/** The last tool or model of the call came to a good end, where it had any. */
function isDone({ events }: RunWriter, { call }: Place): boolean {
  const own = events.filter((event) => event.call === call);
  const acts = own.filter(({ type, content: { action } }) => {
    return type === "action.claimed" && action !== "handoff";
  });
  const last = acts.at(-1);
  const isEnd = ({ links, content: { status, resolution } }: (typeof own)[number]): boolean =>
    links?.["claim"]?.of === last?.id && (status === "ok" || resolution === "happened");
  return last === undefined || own.some(isEnd);
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

/** True when the grant has ended: its tools are denied. */
function isOver(writer: RunWriter, { grant: { expiresAt } }: Place): boolean {
  return expiresAt !== undefined && !(writer.now() < expiresAt);
}
