import { loadProject, type ProjectLoading } from "./load-project.ts";
import { findLoopsFolder } from "./loops/find-loops-folder.ts";
import { listLoops } from "./loops/list-loops.ts";
import { loadLoops } from "./loops/load-loops.ts";

export interface ServingPlace {
  readonly from: readonly string[] | undefined;
  /** The engine, if one drives the runs. */
  readonly host: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A file with prices of models. */
  readonly prices: string | undefined;
}

/** The loops to serve; with models and secrets only if they are driven here. */
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
