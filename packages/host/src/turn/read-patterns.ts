/** Reads the patterns of the approvals that stand: the judgement itself waits for nothing. */
import { isLoopError, type JsonValue } from "@turnseal/protocol";
import type { HeldRun } from "../state/held-run.ts";

/** By the sequence number of the decision. An approval whose pattern was erased covers nothing. */
export async function readPatterns({
  appender,
  projection,
}: Pick<HeldRun, "appender" | "projection">): Promise<ReadonlyMap<number, JsonValue>> {
  const patterns = new Map<number, JsonValue>();
  for (const { decision, pattern } of projection().standing ?? []) {
    try {
      patterns.set(decision, await appender.content.read(pattern));
    } catch (error) {
      if (!isLoopError(error) || error.code !== "LOG_CONTENT_MISSING") throw error;
    }
  }
  return patterns;
}
