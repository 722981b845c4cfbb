/**
 * The documents of a conversation, stored with it. People talk with an agent for weeks, while its
 * author edits it: a conversation keeps the documents that it was started with.
 *
 * 1. A document counts by its digest alone: what was kept is used where the run is pinned to it.
 * 2. Functions are never kept. A tool, and the refinement of a schema, is that of the worker, by id
 *    and version.
 */

import type { RunProjection } from "@turnseal/folds";
import { type CheckedLoop, createRegistry, findLoopLack, type Registry } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import {
  canonicalize,
  type JsonObject,
  type LoopDef,
  type PinnedLoop,
  type RunSpec,
} from "@turnseal/protocol";
import { readContent } from "./read-content.ts";

/** Bytes of the documents that a conversation keeps: of larger ones it keeps none. */
export const KEPT_LOOPS_BYTES_MAX = 256 * 1024;

/** The documents that a start brings along; undefined for a run that is no conversation. */
export function listLoopsToKeep(
  { pinned, bounds }: Pick<RunSpec, "pinned" | "bounds">,
  registry: Pick<Registry, "resolve">,
): readonly LoopDef[] | undefined {
  if (bounds.awaits === undefined) return undefined;
  const found = Object.values(pinned).flatMap(
    ({ id, version }) => registry.resolve(id, version)?.definition ?? [],
  );
  const kept = [...new Set(found)];
  const size = kept.reduce((sum, loop) => sum + canonicalize(loop).length, 0);
  return size > KEPT_LOOPS_BYTES_MAX ? undefined : kept;
}

interface Place {
  readonly registry: Registry;
  readonly stores: Pick<Stores, "blobs">;
  /** Stores content that was recorded just now, such as that of a start. */
  readonly flush?: () => Promise<void>;
}

/** The loops of a run: those of the worker, and its own where the worker's have changed. */
export async function openPinnedLoops(
  { run, spec, definitions }: Pick<RunProjection, "run" | "spec" | "definitions">,
  { registry, stores, flush }: Place,
): Promise<Registry> {
  if (spec === null || definitions === undefined) return registry;
  // A worker that does not know the agent at all is that of another project.
  if (registry.resolve(spec.loop) === undefined) return registry;
  const changed = Object.values(spec.pinned).filter((pin) => findLoopLack(pin, registry));
  if (changed.length === 0) return registry;
  await flush?.();
  const kept = await readContent(stores, run, definitions);
  return Array.isArray(kept) ? overlay(registry, changed, kept) : registry;
}

function overlay(
  registry: Registry,
  changed: readonly PinnedLoop[],
  kept: readonly unknown[],
): Registry {
  const own = createRegistry();
  for (const document of kept) {
    const { id, version } = Object(document) as JsonObject;
    const today = registry.resolve(String(id), String(version));
    const [refinements, ...more] = today?.refinedBy ?? [];
    own.register(document, { refinements });
    for (const further of more) own.register(document, { refinements: further });
  }
  const found = new Map<string, CheckedLoop>();
  for (const pin of changed) {
    const loop = own.resolve(pin.id, pin.version);
    if (loop?.digest === pin.digest) found.set(`${pin.id} ${pin.version}`, loop);
  }
  const resolve: Registry["resolve"] = (id, version) =>
    found.get(`${id} ${version}`) ?? registry.resolve(id, version);
  return found.size === 0 ? registry : { ...registry, resolve };
}
