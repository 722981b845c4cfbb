/** Hands a run to a release that has what this worker lacks, and waits for what it owes then. */
import {
  type ObjectContext,
  type Serde,
  serde,
  TerminalError,
  TimeoutError,
} from "@restatedev/restate-sdk";
import type { Elsewhere, Leaving } from "../decide/advanced.ts";
import type { HostPorts } from "../host-ports.ts";
import { findReleaseLack } from "../release/find-release-lack.ts";
import { readRun } from "../state/read-run.ts";
import { formatReleaseService, type HandedRun } from "./release-service.ts";
import type { Releases } from "./run-options.ts";
import type { Owed, Queued } from "./step-run.ts";

/** Finds a registered release that has what a run needs. */
export function findOtherRelease(
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
  readonly run: string;
  /** The ports of the run's tenant; undefined if it is not served now. */
  readonly findPorts: () => Promise<Pick<HostPorts, "stores" | "clock"> | undefined>;
  /** The next look at the run, unless the release answers otherwise. */
  readonly owed: Owed;
  /** How long a step that has begun may take; an action may have more time there. */
  readonly stepMsMax: number;
}

/** Returns what the run is owed after the release's step; undefined if it took none. */
export async function handToRelease(
  ctx: ObjectContext,
  { release, epoch }: Elsewhere,
  { run, findPorts, owed, stepMsMax }: HandedOn,
): Promise<Owed | Queued | undefined> {
  const call = ctx.genericCall<HandedRun, Owed | Queued | null>({
    service: formatReleaseService(release),
    method: "step",
    parameter: { key: ctx.key, epoch },
    inputSerde: serde.json as Serde<HandedRun>,
    outputSerde: serde.json as Serde<Owed | Queued | null>,
    // One message for each run, even with many looks before the release answers.
    idempotencyKey: ctx.key,
  });
  let isGone = false;
  const wait = async (ms: number): Promise<Owed | Queued | null | undefined> => {
    try {
      return await call.orTimeout(ms);
    } catch (error) {
      // Too late, or the release does not serve the tenant.
      if (!(error instanceof TerminalError)) throw error;
      isGone = !(error instanceof TimeoutError);
      return undefined;
    }
  };
  const hasBegun = async (): Promise<boolean> =>
    (await (await findPorts())?.stores.log.readHead(run))?.epoch !== epoch;
  const soon = await wait(BEGIN_MS);
  const isBegun = soon === undefined && (await ctx.run("begun", hasBegun));
  let answer = isBegun ? await wait(stepMsMax) : soon;
  while (isBegun && answer === undefined && !isGone) {
    const actsMs = await ctx.run("acts", async () => measureActing(run, await findPorts()));
    if (actsMs === 0) break;
    answer = await wait(actsMs);
  }
  // It was late, or has died on the way: the next look says where the run stands.
  return answer === null ? { ...owed, continues: true } : answer;
}

/** How long a release may take to record the end of an action, after its deadline. */
const SETTLE_MS = 5_000;

/** How long what the run does may still take, by the deadlines in its log; 0 where it is over. */
async function measureActing(
  run: string,
  ports: Awaited<ReturnType<HandedOn["findPorts"]>>,
): Promise<number> {
  if (ports === undefined) return 0;
  const open = (await readRun(ports.stores, run))?.openTurn?.open ?? [];
  const acting = open.filter(({ handoff, isUnknown }) => handoff === null && !isUnknown);
  const endsMs = acting.map(({ deadlineAt }) => Date.parse(deadlineAt) + SETTLE_MS);
  return Math.max(0, ...endsMs.map((endMs) => endMs - ports.clock.now()));
}
