/** Loads every loop of a project with its needs, for workers and servers. */

import { type Finding, placeOf } from "@turnseal/documents";
import type { HostOptions } from "@turnseal/host";
import type { Registry } from "@turnseal/kernel";
import type { Model } from "@turnseal/ports";
import { DEVELOPMENT_VERSION } from "@turnseal/protocol/authoring";
import { bindModels } from "./bind-models.ts";
import { bindRoots } from "./bind-roots.ts";
import type { ImportModule } from "./files/module-reader.ts";
import { checkTools } from "./loops/check-tools.ts";
import { findLoopsFolder } from "./loops/find-loops-folder.ts";
import { listLoops } from "./loops/list-loops.ts";
import { type LoadedLoop, loadLoops } from "./loops/load-loops.ts";
import { readPrices } from "./read-prices.ts";
import { listSecretNames, takeToolSecrets } from "./tool-secrets.ts";

export type ProjectLoading =
  | {
      readonly kind: "loaded";
      readonly host: Pick<
        HostOptions,
        "loops" | "models" | "registry" | "roots" | "secrets" | "prices"
      >;
      readonly registry: Registry;
      readonly paths: readonly string[];
    }
  | { readonly kind: "refused"; readonly problems: readonly Finding[] }
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

interface ProjectPlace {
  readonly from: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The command that serves it, for messages. */
  readonly command: "dev" | "serve" | "worker";
  /** True to refuse loops without a version of their own. */
  readonly production?: boolean;
  /** A file with prices of models, which override the built-in ones. */
  readonly prices?: string | undefined;
  /** How modules are imported, where they are read more than once. */
  readonly importModule?: ImportModule | undefined;
}

export async function loadProject({
  from,
  environment,
  command,
  production = false,
  prices,
  importModule,
}: ProjectPlace): Promise<ProjectLoading> {
  const next = `turnseal ${command} --from <files or folders>`;
  const paths = await findLoopsFolder(from);
  if (paths.length === 0)
    return { kind: "unusable", message: "there is no folder ./loops to serve", next };
  const loaded = await loadLoops(paths, "strict", importModule);
  if (loaded.kind === "unusable") return { ...loaded, next };
  if (loaded.problems.length > 0) return { kind: "refused", problems: loaded.problems };
  const unversioned = production ? loaded.entries.flatMap(checkVersion) : [];
  if (unversioned.length > 0) return { kind: "refused", problems: unversioned };
  const problems = new Map<string, Finding>();
  const models: Record<string, Model> = {};
  for (const { loop } of loaded.entries) {
    const { id, version } = loop.definition;
    const target = { kind: "found", id, version, loaded, paths } as const;
    const bound = await bindModels(target, environment);
    Object.assign(models, bound.models);
    // Several loops may reach the same one: its problem is reported once.
    for (const problem of [...checkTools(target), ...bound.problems])
      problems.set(JSON.stringify(problem), problem);
  }
  if (problems.size > 0) return { kind: "refused", problems: [...problems.values()] };
  const priced = await readPrices(prices);
  if (priced.kind === "unusable") return priced;
  const rooted = bindRoots(environment);
  if (rooted.kind === "unusable") return rooted;
  const { roots } = rooted;
  const secrets = takeToolSecrets(listSecretNames(loaded), environment);
  const { registry } = loaded;
  const loops = listLoops({ loaded });
  const host = { loops, registry, models, roots, secrets, prices: priced.prices };
  return { kind: "loaded", host, registry, paths };
}

function checkVersion({ loop, source }: LoadedLoop): Finding[] {
  const { id, version } = loop.definition;
  if (version !== DEVELOPMENT_VERSION) return [];
  return [
    {
      ...placeOf(source, "/version"),
      rule: "version-development",
      path: "/version",
      message: `${id} has the version ${DEVELOPMENT_VERSION}, which production refuses`,
      mend: "give it a version, such as 1.0.0",
    },
  ];
}
