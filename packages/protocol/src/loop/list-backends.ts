import type { BackendRef, LoopDef } from "./loop-def.ts";

/** What a prompt is asked at that names nothing. */
const SCRIPTED = "scripted";

/**
 * Where a prompt may be asked, in its order: each of its routes, or its backend. One that names
 * neither is answered by the scripted model.
 */
export function listBackends({ backend, policy }: LoopDef): BackendRef[] {
  const places: readonly BackendRef[] = policy?.routes ?? [backend ?? { id: SCRIPTED }];
  return places.map(({ id, model }) => ({ id, ...(model === undefined ? {} : { model }) }));
}
