import type { KnownRun } from "@turnseal/host";
import { bindTools, createRegistry } from "@turnseal/kernel";
import type { LoopsHere } from "../folder/find-obstacle.ts";
import { readOrigin } from "../folder/origin.ts";
import type { StoreFolder } from "../folder/store-folder.ts";
import { findRunTarget } from "./find-run-target.ts";

/** Nothing that was found there: every run that needs a loop lacks it. */
const NOTHING: LoopsHere = { registry: createRegistry(), tools: bindTools({}) };

/**
 * The loops that each run would go on with: from where it was started, or from where the command
 * line says. Each place is loaded once. Undefined where nothing says where they are: under an
 * engine the workers have them.
 */
export function openLoops(
  folder: StoreFolder,
  from: readonly string[] | undefined,
): (known: KnownRun) => Promise<LoopsHere | undefined> {
  const places = new Map<string, Promise<LoopsHere>>();
  return async (known) => {
    const origin =
      folder.engine === undefined ? await readOrigin(folder.path, known.run) : undefined;
    const paths = from ?? origin?.from;
    if (paths === undefined) return undefined;
    const place = JSON.stringify(paths);
    const loading = places.get(place) ?? load(known, folder, paths);
    places.set(place, loading);
    return loading;
  };
}

async function load(
  known: KnownRun,
  folder: StoreFolder,
  paths: readonly string[],
): Promise<LoopsHere> {
  const target = await findRunTarget(known, folder, paths);
  return target.kind === "found" ? target.loaded : NOTHING;
}
