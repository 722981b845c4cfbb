/**
 * How many signals of a name a run keeps for a later wait. A signal for a prompt or a mapping takes
 * no place: the run does not look for it again.
 */

import { hasRoom, type RunProjection } from "@turnseal/folds";
import type { Registry } from "@turnseal/kernel";
import { readsSignal } from "./reads-signal.ts";

/** True if the run keeps, or does not have to keep, one more signal that no open wait takes. */
export function hasSignalRoom(run: RunProjection, name: string, registry?: Registry): boolean {
  if (hasRoom(run, name) || run.spec === null) return true;
  const { awaits = [], nextInput } = run.spec.bounds;
  if (awaits.includes(name) || readsSignal(nextInput, name)) return true;
  const feedback = registry === undefined ? undefined : findFeedback(run, registry);
  // Without its loops, it is unknown whether a prompt reads the signal.
  return feedback === undefined || feedback.has(name);
}

/** The signals that prompts read while they work, of all loops the run was started with. */
export function listFeedback({ spec }: RunProjection, registry: Registry): ReadonlySet<string> {
  const names = Object.values(spec?.pinned ?? {}).flatMap(
    ({ id, version }) => registry.resolve(id, version)?.definition.prompt?.feedback ?? [],
  );
  return new Set(names);
}

/** Undefined if a loop of the run is not here. */
function findFeedback(run: RunProjection, registry: Registry): ReadonlySet<string> | undefined {
  const pinned = Object.values(run.spec?.pinned ?? {});
  const isHere = pinned.every(({ id, version }) => registry.resolve(id, version) !== undefined);
  return isHere ? listFeedback(run, registry) : undefined;
}
