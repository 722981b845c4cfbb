import type { LoopEvent } from "@turnseal/protocol";

/** A resume ends a pause, which began with the last thing that the kernel said. */
export function listPauses(
  events: readonly LoopEvent[],
): { readonly sequence: number; readonly ms: number }[] {
  const pauses: { sequence: number; ms: number }[] = [];
  let workedMs = 0;
  for (const { type, at, actor, sequence } of events) {
    const atMs = Date.parse(at);
    if (type === "turn.resumed") pauses.push({ sequence, ms: atMs - workedMs });
    if (type === "turn.resumed" || actor.kind === "kernel") workedMs = atMs;
  }
  return pauses;
}
