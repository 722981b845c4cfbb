import type { BackendRef, LoopDef } from "./loop-def.ts";

/** The backend of a prompt that names none. */
const SCRIPTED = "scripted";

/**
 * The backends of a prompt, in order: each of its routes, or its backend. Without either, the
 * scripted model answers.
 */
export function listBackends({ backend, policy }: LoopDef): BackendRef[] {
  const places: readonly BackendRef[] = policy?.routes ?? [backend ?? { id: SCRIPTED }];
  return places.map(({ id, model }) => ({ id, ...(model === undefined ? {} : { model }) }));
}
