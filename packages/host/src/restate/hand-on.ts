/** Hands a run to a release that has what this worker lacks, and waits for what it owes then. */
import { type ObjectContext, type Serde, serde, TerminalError } from "@restatedev/restate-sdk";
import type { Elsewhere, Leaving } from "../decide/advanced.ts";
import type { HostPorts } from "../host-ports.ts";
import { findReleaseLack } from "../release/find-release-lack.ts";
import { formatReleaseService, type HandedRun } from "./release-service.ts";
import type { Releases } from "./run-options.ts";
import type { Owed, Queued } from "./step-run.ts";

/** Finds who has what a run needs, among those that are registered. */
export function lookElsewhere(
  releases: Releases | undefined,
  { stores }: Pick<HostPorts, "stores">,
): Leaving {
  if (releases === undefined) return {};
  const { own, list } = releases;
  return {
    findElsewhere: async (run) => {
      for (const release of await list()) {
        if (release.name === own.name) continue;
        if ((await findReleaseLack(release, run, stores)) === undefined) return release.name;
      }
      return undefined;
    },
  };
}

/** How long a release may take to begin: longer than a message waits for a slot. */
const BEGIN_MS = 10_000;

export interface HandedOn {
  /** The epoch of the run as it is now. */
  readonly readEpoch: () => Promise<number | undefined>;
  /** What is owed unless the release says otherwise. */
  readonly owed: Owed;
  /** How long a step that has begun may take. */
  readonly stepMsMax: number;
}

/** What the run is owed after the release has taken its step; undefined where it took none. */
export async function handOn(
  ctx: ObjectContext,
  { release, epoch }: Elsewhere,
  { readEpoch, owed, stepMsMax }: HandedOn,
): Promise<Owed | Queued | undefined> {
  const call = ctx.genericCall<HandedRun, Owed | Queued | null>({
    service: formatReleaseService(release),
    method: "step",
    parameter: { key: ctx.key, epoch },
    inputSerde: serde.json as Serde<HandedRun>,
    outputSerde: serde.json as Serde<Owed | Queued | null>,
    // One message for each run, however often it is looked at while nobody answers.
    idempotencyKey: ctx.key,
  });
  const wait = async (ms: number): Promise<Owed | Queued | null | undefined> => {
    try {
      return await call.orTimeout(ms);
    } catch (error) {
      // Too late, or the release does not serve the tenant.
      if (error instanceof TerminalError) return undefined;
      throw error;
    }
  };
  const hasBegun = async (): Promise<boolean> => (await readEpoch()) !== epoch;
  const soon = await wait(BEGIN_MS);
  const isBegun = soon === undefined && (await ctx.run("begun", hasBegun));
  const answer = isBegun ? await wait(stepMsMax) : soon;
  // It was late, or has died on the way: the next look says where the run stands.
  return answer === null ? { ...owed, continues: true } : answer;
}
