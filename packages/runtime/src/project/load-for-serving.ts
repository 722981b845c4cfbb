import { findLoopsFolder } from "./find-loops-folder.ts";
import { listLoops } from "./list-loops.ts";
import { loadLoops } from "./load-loops.ts";
import { loadProject, type ProjectLoading } from "./load-project.ts";

export interface ServingPlace {
  readonly from: readonly string[] | undefined;
  /** The engine, where one carries the runs. */
  readonly host: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A file with prices of models. */
  readonly prices: string | undefined;
}

/** The loops to serve; with models and secrets only where they are carried here. */
export async function loadForServing({
  from,
  host,
  environment,
  prices,
}: ServingPlace): Promise<ProjectLoading> {
  const command = "serve";
  if (host === undefined) return loadProject({ from, environment, command, prices });
  if (prices !== undefined)
    return {
      kind: "unusable",
      message: "--prices has no effect here: with --host, workers ask the models",
      next: "turnseal worker --prices <file>",
    };
  const paths = await findLoopsFolder(from);
  const loaded = await loadLoops(paths, "strict");
  const next = `turnseal ${command} --from <files or folders>`;
  if (loaded.kind === "unusable") return { ...loaded, next };
  if (loaded.problems.length > 0) return { kind: "refused", problems: loaded.problems };
  return {
    kind: "loaded",
    host: { loops: listLoops({ loaded }) },
    registry: loaded.registry,
    paths,
  };
}
