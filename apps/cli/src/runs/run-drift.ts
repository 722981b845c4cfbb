import { openRunWorld, type RootDrift, type RunWorld, readRun } from "@turnseal/host";
import type { ManagedRoots } from "@turnseal/kernel";
import { bindRoots } from "@turnseal/runtime/project";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { listenForStop } from "../terminal/listen-for-stop.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type NamedRun, type StoreOptions, withRun } from "../with-run.ts";
import { isDrifted, renderWorld } from "./render-world.ts";

export interface DriftOptions extends StoreOptions {
  /** Also what is new beside the files that are managed. */
  readonly new?: boolean;
  readonly watch?: boolean;
  readonly json?: boolean;
}

/** `turnseal drift`: what became of the files that a run manages. Ends with 1 if anything did. */
export function runDrift(
  name: string,
  options: DriftOptions,
  { terminal, environment }: Surroundings,
): Promise<ExitCode> {
  const bound = bindRoots(environment);
  if (bound.kind === "unusable")
    return Promise.resolve(reportUsage(terminal, bound.message, bound.next));
  const { roots } = bound;
  return withRun(name, { ...options, terminal }, async (named) => {
    const { known, folder } = named;
    const world = openRunWorld(known.run, { stores: folder.stores, roots });
    const show = async (): Promise<readonly RootDrift[]> => {
      const found = await world.look(await readManaged(named), options.new ? [""] : []);
      print(known.run, found, { options, terminal });
      return found;
    };
    if (!options.watch) return endOf(await show());
    return watchWorld(world, named, { options, terminal });
  });
}

async function readManaged({ known, folder }: NamedRun): Promise<ManagedRoots> {
  return (await readRun(folder.stores, known.run))?.artifacts ?? {};
}

function endOf(found: readonly RootDrift[]): ExitCode {
  return found.some(isDrifted) ? EXIT_CODES.failed : EXIT_CODES.done;
}

interface Shown {
  readonly options: DriftOptions;
  readonly terminal: Terminal;
}

function print(run: string, found: readonly RootDrift[], { options, terminal: { out } }: Shown) {
  if (options.json) out.writeText(`${renderJson({ run, roots: found }, options.watch ? 0 : 2)}\n`);
  else renderWorld(run, found).forEach(out.writeLine);
}

/** Looks again whenever something may have changed, and says so where it is other than before. */
async function watchWorld(world: RunWorld, named: NamedRun, shown: Shown): Promise<ExitCode> {
  const stop = listenForStop(undefined);
  let last = "";
  let found: readonly RootDrift[] = [];
  let [isLooking, isTouched] = [false, false];
  const look = async (): Promise<void> => {
    isTouched = true;
    if (isLooking) return;
    isLooking = true;
    // What changes while it looks is looked at again.
    while (isTouched) {
      isTouched = false;
      found = await world.look(await readManaged(named), shown.options.new ? [""] : []);
      const text = JSON.stringify(found);
      if (text !== last) print(named.known.run, found, shown);
      last = text;
    }
    isLooking = false;
  };
  const unwatch = await world.watch(await readManaged(named), () => void look());
  await look();
  await new Promise<void>((resolve) => {
    if (stop.signal.aborted) resolve();
    stop.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  unwatch();
  stop.release();
  return endOf(found);
}
