/** The run to take back, and its rollback until it is approved. */
import type { LocalHost } from "@turnseal/host";
import { registerPlan } from "@turnseal/host";
import { compilePlan } from "@turnseal/protocol";
import { planStarter } from "@turnseal/protocol/authoring";
import { planOf, shelfGrant, shelfLoops } from "./shelf-loops.ts";

export interface AskedRollback {
  readonly run: string;
  readonly rollback: string;
}

/** How the run goes on: by this process, or by workers that are waited for. */
export interface Carrier {
  readonly host: LocalHost;
  /** Until it waits for somebody. */
  untilAsked(run: string): Promise<void>;
  untilStopped(run: string): Promise<void>;
}

const by = { id: "bea", roles: [] };

export async function approve(host: LocalHost, run: string): Promise<void> {
  const [request] = await host.requests(run);
  await host.decide(run, request?.id ?? "", { choice: "approve", by });
}

/** Undefined where no effect could be taken back. */
export async function askRollback(
  place: string,
  failing: number,
  { host, untilAsked, untilStopped }: Carrier,
): Promise<AskedRollback | undefined> {
  const plan = planOf(place, failing);
  registerPlan(host.registry, plan);
  const loop = { definition: compilePlan(plan), uses: [planStarter, ...shelfLoops()] };
  const start = { key: place, by: "ada", bounds: { turnsMax: 1 }, grant: shelfGrant };
  const run = await host.start(loop, plan as never, start);
  await untilAsked(run);
  await approve(host, run);
  await untilStopped(run);
  const answer = await host.rollback(run, { by: "ada" });
  if (answer.kind === "nothing") return undefined;
  if (answer.kind !== "proposed") throw new Error(`no rollback: ${JSON.stringify(answer)}`);
  await untilAsked(answer.run);
  return { run, rollback: answer.run };
}
