/** Every loop of a project with what it needs, for whoever carries runs of all of them. */
import { bindModels } from "../commands/bind-models.ts";
import { checkTools } from "../commands/check-tools.ts";
import { listLoops } from "../commands/open-host.ts";
import { findLoopsFolder } from "../documents/find-loops-folder.ts";
import type { Finding } from "../documents/finding.ts";
import { loadLoops } from "../documents/load-loops.ts";
import { listSecretNames, takeToolSecrets } from "../local/tool-secrets.ts";
import type { WorkerOptions } from "./start-worker.ts";

export type ProjectLoading =
  | {
      readonly kind: "loaded";
      readonly host: Pick<WorkerOptions["host"], "loops" | "models" | "secrets">;
      readonly registry: Parameters<WorkerOptions["peers"]["listSlowTools"]>[0];
      readonly paths: readonly string[];
    }
  | { readonly kind: "refused"; readonly problems: readonly Finding[] }
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

interface ProjectPlace {
  readonly from: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The command that serves it, for whoever has to say it otherwise. */
  readonly command: "dev" | "serve" | "worker";
}

export async function loadProject({
  from,
  environment,
  command,
}: ProjectPlace): Promise<ProjectLoading> {
  const next = `turnseal ${command} --from <files or folders>`;
  const paths = await findLoopsFolder(from);
  if (paths.length === 0)
    return { kind: "unusable", message: "there is no folder ./loops to serve", next };
  const loaded = await loadLoops(paths, "strict");
  if (loaded.kind === "unusable") return { ...loaded, next };
  if (loaded.problems.length > 0) return { kind: "refused", problems: loaded.problems };
  const problems = new Map<string, Finding>();
  const models: Record<string, NonNullable<WorkerOptions["host"]["models"]>[string]> = {};
  for (const { loop } of loaded.entries) {
    const { id, version } = loop.definition;
    const target = { kind: "found", id, version, loaded, paths } as const;
    const bound = await bindModels(target, environment);
    Object.assign(models, bound.models);
    // Several loops reach the same one: what is wrong with it is said once.
    for (const problem of [...checkTools(target), ...bound.problems])
      problems.set(JSON.stringify(problem), problem);
  }
  if (problems.size > 0) return { kind: "refused", problems: [...problems.values()] };
  const secrets = takeToolSecrets(listSecretNames(loaded), environment);
  const host = { loops: listLoops({ loaded }), models, secrets };
  return { kind: "loaded", host, registry: loaded.registry, paths };
}
