/** From loops that were found and a store's folder to a host that can carry runs. */
import { createLocalHost, type LocalHost } from "@turnseal/host";
import type { LiveBus, Signer } from "@turnseal/ports";
import type { Loop, LoopEvent } from "@turnseal/protocol";
import type { Finding } from "../documents/finding.ts";
import { toLoop } from "../documents/load-loops.ts";
import { openSigner } from "../local/open-keys.ts";
import type { StoreFolder } from "../local/store-folder.ts";
import { listSecretNames, takeToolSecrets } from "../local/tool-secrets.ts";
import { watchLog } from "../local/watch-log.ts";
import { bindModels } from "./bind-models.ts";
import { checkTools } from "./check-tools.ts";
import type { Target } from "./find-target.ts";
import type { Rules } from "./read-rules.ts";
import type { Surroundings } from "./surroundings.ts";

export type HostOpening =
  | {
      readonly kind: "open";
      readonly host: LocalHost;
      /** The prompts that the scripted model answers. */
      readonly scripted: readonly string[];
    }
  | { readonly kind: "refused"; readonly problems: readonly Finding[] };

export interface HostExtras {
  readonly onEvent?: (event: LoopEvent) => void;
  /** The rules of today, and rules on trial. */
  readonly rules?: Rules;
  /** Where words are told as they come. */
  readonly live?: LiveBus | undefined;
}

/** Opens a host for a loop and everything that it can come to call. */
export async function openHost(
  target: Target,
  folder: StoreFolder,
  { environment }: Pick<Surroundings, "environment">,
  { onEvent = () => {}, rules = {}, live }: HostExtras = {},
): Promise<HostOpening> {
  // The workers of an engine bring models, secrets and keys: here nothing acts, and nothing signs.
  if (folder.engine !== undefined) {
    const { stores } = folder;
    const host = createLocalHost({ loops: listLoops(target), stores, signer: NO_SIGNER, ...rules });
    return { kind: "open", host, scripted: [] };
  }
  const bound = await bindModels(target, environment);
  const problems = [...checkTools(target), ...bound.problems];
  if (problems.length > 0) return { kind: "refused", problems };
  const host = createLocalHost({
    loops: listLoops(target),
    stores: watchLog(folder.stores, onEvent),
    signer: await openSigner(folder.path, environment),
    models: bound.models,
    secrets: takeToolSecrets(listSecretNames(target.loaded), environment),
    ...(live === undefined ? {} : { live }),
    ...rules,
  });
  return { kind: "open", host, scripted: bound.scripted };
}

/** For hosts whose runs others carry. */
export const NO_SIGNER: Signer = {
  keyId: "",
  issuer: "development",
  sign: async () => {
    throw new Error("only a worker signs");
  },
};

/** Every loop that was loaded, with what it brought along. */
export function listLoops({ loaded }: Pick<Target, "loaded">): Loop[] {
  return loaded.entries.map(toLoop);
}
