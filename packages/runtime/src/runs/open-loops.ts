import type { KnownRun } from "@turnseal/host";
import { bindTools, createRegistry } from "@turnseal/kernel";
import { readOrigin } from "../folder/origins/origin.ts";
import type { LoopsHere } from "../folder/search/find-obstacle.ts";
import type { StoreFolder } from "../folder/store-folder.ts";
import { findRunTarget } from "./find-run-target.ts";

/** An empty project: every run that needs a loop lacks it. */
const NOTHING: LoopsHere = { registry: createRegistry(), tools: bindTools({}) };

/**
 * The loops that each run would go on with: from where the command line says, or the documents from
 * where it was started. Each place is loaded once. Undefined if nothing says where they are, or
 * where they are code that the command line does not name: under an engine the workers have them.
 */
export function openLoops(
  folder: StoreFolder,
  from: readonly string[] | undefined,
): (known: KnownRun) => Promise<LoopsHere | undefined> {
  const places = new Map<string, Promise<LoopsHere | undefined>>();
  return async (known) => {
    const origin =
      folder.engine === undefined ? await readOrigin(folder.path, known.run) : undefined;
    const paths = from ?? origin?.from;
    if (paths === undefined) return undefined;
    const place = JSON.stringify(paths);
    const loading = places.get(place) ?? load(known, folder, from);
    places.set(place, loading);
    return loading;
  };
}

async function load(
  known: KnownRun,
  folder: StoreFolder,
  from: readonly string[] | undefined,
): Promise<LoopsHere | undefined> {
  const target = await findRunTarget(known, folder, from);
  if (target.kind === "found") return target.loaded;
  return target.kind === "unusable" && target.isNotedCode === true ? undefined : NOTHING;
}
