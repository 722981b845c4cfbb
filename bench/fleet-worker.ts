/**
 * Serves runs of several tenants in few slots, and says when each turn was done and what failed.
 */

import { startWorker, type WorkerLog } from "@turnseal/operate/worker";
import type { Stores } from "@turnseal/ports";
import type { StepDone, WorkerPlace } from "./engine-world.ts";
import { fleetLoops } from "./fleet-loops.ts";
import type { FleetNews } from "./fleet-world.ts";
import { createSigner } from "./sample-turn.ts";

/** The settings of a worker. */
interface FleetWorkerSettings extends WorkerPlace {
  readonly tenants?: readonly string[];
  readonly slots: number;
  readonly connectionsMax?: number;
}

const settings = JSON.parse(process.argv[2] ?? "{}") as FleetWorkerSettings;
const { databaseUrl, floorPort: _floor, tenant: _tenant, ...rest } = settings;
const TELL_EVERY_MS = 50;
let done: StepDone[] = [];
let errors: string[] = [];

const log: WorkerLog = {
  say: (level, what, { code = "" } = {}) => {
    if (level === "error") errors.push(`${what} ${code}`.trim());
  },
  sayError: (what, error) => {
    errors.push(`${what} ${Reflect.get(Object(error), "code") ?? ""}`.trim());
  },
};

await startWorker({
  ...{ ...rest, postgres: databaseUrl, sharesPort: true, watch, log },
  host: { ...fleetLoops, signer: createSigner() },
});
process.send?.("ready");
process.on("disconnect", () => process.exit());
setInterval(() => {
  if (done.length + errors.length === 0) return;
  process.send?.({ done, errors } satisfies FleetNews);
  [done, errors] = [[], []];
}, TELL_EVERY_MS);

function watch(watched: Stores): Stores {
  const append: Stores["log"]["append"] = async (appended) => {
    const answer = await watched.log.append(appended);
    if (appended.receipt !== undefined)
      done.push({ key: appended.run, atMs: performance.timeOrigin + performance.now() });
    return answer;
  };
  return { ...watched, log: { ...watched.log, append } };
}
