/** How a command begins that loads the loops of a run: consent, the loops, and a host for them. */
import { findRunTarget, type HostExtras, openHost } from "@turnseal/runtime/runs";
import { admitNoted } from "./admit-noted.ts";
import { accept } from "./terminal/refusal.ts";
import type { Surroundings } from "./terminal/surroundings.ts";
import type { NamedRun } from "./with-run.ts";

interface CommandOptions {
  readonly from?: readonly string[];
  readonly json?: boolean;
}

/** Finds the loops of a run as they are now; a refusal ends the command. */
export async function openCommand(
  command: string,
  named: NamedRun,
  { options: { from: given, json }, surroundings }: CommandParts,
) {
  const { known, folder } = named;
  const from = await admitNoted(named, { from: given, command }, surroundings);
  const target = accept(await findRunTarget(known, folder, from), { json });
  return {
    target,
    /** Where the loops are: as the command line says, or as the run notes it. */
    from,
    /** Binds the loops, or others that were chosen of them, to a host. */
    bind: async (extras?: HostExtras, chosen: typeof target = target) =>
      accept(await openHost(chosen, folder, surroundings, extras), { json }),
  };
}

interface CommandParts {
  readonly options: CommandOptions;
  readonly surroundings: Surroundings;
}
