import type { BackendRef, LoopDef } from "./loop-def.ts";

/** What the scripted model is bound to; `mock` means it too. */
const SCRIPTED = "scripted";

/**
 * Where a prompt may be asked, in its order: each of its routes, or its backend. One that names
 * neither is answered by the scripted model.
 */
export function listBackends({ backend, policy }: LoopDef): BackendRef[] {
  const places: readonly BackendRef[] = policy?.routes ?? [backend ?? { id: SCRIPTED }];
  return places.map(({ id, model }) => ({
    id: id === "mock" ? SCRIPTED : id,
    ...(model === undefined ? {} : { model }),
  }));
}
