import { type CacheOptions, type CallCaches, createCallCaches } from "../cache/call-caches.ts";
import type { TurnPorts, TurnRequest } from "./turn-request.ts";

/** What answers the calls of a turn again. */
export function openCaches(
  { run, turn, recorded: before }: TurnRequest,
  { appender, clock, models, tools, rules = {}, calls }: Omit<TurnPorts, "signer">,
  given: Pick<CacheOptions, "loops" | "recorded" | "signal" | "judge" | "guidance">,
): CallCaches {
  return createCallCaches({
    ...{ run, turn, appender, clock, models, tools, ...given },
    hasRules: Object.keys(rules).length > 0,
    indexes: calls,
    events: () => [...before, ...appender.sinceMark()],
  });
}
