/** Builds a host that can drive runs, from loops and a store's folder. */

import type { Finding } from "@turnseal/documents";
import {
  createLocalHost,
  createRunClient,
  type HostOptions,
  type RunClient,
  type RunDriver,
} from "@turnseal/host";
import type { LiveBus } from "@turnseal/ports";
import type { LoopEvent, PriceTable } from "@turnseal/protocol";
import { openSigner } from "../folder/keys/open-keys.ts";
import type { StoreFolder } from "../folder/store-folder.ts";
import { bindModels } from "../project/bind-models.ts";
import { bindRoots } from "../project/bind-roots.ts";
import { checkPrices } from "../project/check-prices.ts";
import { checkTools } from "../project/loops/check-tools.ts";
import type { Target } from "../project/loops/find-target.ts";
import { listLoops } from "../project/loops/list-loops.ts";
import type { Rules } from "../project/read-rules.ts";
import { listSecretNames, takeToolSecrets } from "../project/tool-secrets.ts";

export type HostOpening =
  | {
      readonly kind: "open";
      readonly host: RunClient;
      /** Drives the runs of this host. Without it the workers of an engine do. */
      readonly driver?: RunDriver;
      /** The prompts that the scripted model answers. */
      readonly scripted: readonly string[];
    }
  | { readonly kind: "refused"; readonly problems: readonly Finding[] };

/** The environment of the process: it has the backends, secrets and keys. */
interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface HostExtras {
  readonly onEvent?: (event: LoopEvent) => void;
  /** The rules of today, and rules on trial. */
  readonly rules?: Rules;
  /** The live bus for pieces of answers. */
  readonly live?: LiveBus | undefined;
  /**
   * The prices of models; present for a budget in money, and then every model must have a price.
   */
  readonly prices?: PriceTable | undefined;
}

/** Opens a host for a loop and everything that it can come to call. */
export async function openHost(
  target: Target,
  folder: StoreFolder,
  { environment }: Surroundings,
  { onEvent = () => {}, rules = {}, live, prices }: HostExtras = {},
): Promise<HostOpening> {
  // The workers of an engine bring models, secrets and keys: here nothing acts, and nothing signs.
  if (folder.engine !== undefined) {
    const { stores } = folder;
    const host = createRunClient({
      ...loopsOf(target),
      stores,
      ...rules,
      ...readCell(environment),
    });
    return { kind: "open", host, scripted: [] };
  }
  const bound = await bindModels(target, environment);
  const unpriced = prices === undefined ? [] : checkPrices(target, bound.models, prices);
  const rooted = bindRoots(environment);
  const problems = [...checkTools(target), ...bound.problems, ...unpriced];
  if (rooted.kind === "unusable") problems.push(toFinding(rooted));
  if (problems.length > 0 || rooted.kind === "unusable") return { kind: "refused", problems };
  const host = createLocalHost({
    ...loopsOf(target),
    stores: folder.stores,
    observers: [{ name: "watch", onEvent }],
    signer: await openSigner(folder.path, environment),
    models: bound.models,
    secrets: takeToolSecrets(listSecretNames(target.loaded), environment),
    roots: rooted.roots,
    ...(live === undefined ? {} : { live }),
    ...(prices === undefined ? {} : { prices }),
    ...rules,
    ...readCell(environment),
  });
  return { kind: "open", host, driver: host, scripted: bound.scripted };
}

function toFinding({
  message,
  next,
}: {
  readonly message: string;
  readonly next: string;
}): Finding {
  return {
    file: "TURNSEAL_ROOTS",
    path: "",
    rule: "file-unreadable",
    message,
    mend: `write ${next}`,
  };
}

/** The cell that runs are started in, where the environment names one. */
function readCell({
  TURNSEAL_CELL: cell = "",
}: Surroundings["environment"]): Pick<HostOptions, "cell"> {
  return cell === "" ? {} : { cell };
}

/** Loaded loops are registered already: they are not checked again. */
function loopsOf(target: Target): Pick<HostOptions, "loops" | "registry"> {
  return { loops: listLoops(target), registry: target.loaded.registry };
}
