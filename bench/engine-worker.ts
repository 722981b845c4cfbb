/** Serves runs and the floor to the engine, and says when each turn and each step was done. */
import { createServer } from "node:http2";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { startWorker } from "@turnseal/operate/worker";
import type { Stores } from "@turnseal/ports";
import { createFloorObject } from "./engine-floor.ts";
import type { Collected, StepDone, WorkerPlace } from "./engine-world.ts";
import { createSigner, sampleLoops } from "./sample-turn.ts";

/** The settings of a worker. */
interface EngineWorkerSettings extends WorkerPlace {
  readonly connectionsMax: number;
  /** How long one message goes on starting turns. */
  readonly sliceMs: number;
}

/** More than there are runs: what is measured is the run, not the queue before it. */
const SLOTS = 1_000;

const settings = JSON.parse(process.argv[2] ?? "{}") as EngineWorkerSettings;
const { databaseUrl, tenant, floorPort, connectionsMax, ...rest } = settings;
let done: StepDone[] = [];
let commits = 0;
const note = (key: string): void => {
  done.push({ key, atMs: performance.timeOrigin + performance.now() });
};

await startWorker({
  ...{ ...rest, postgres: databaseUrl, tenants: [tenant], connectionsMax },
  ...{ host: { ...sampleLoops, signer: createSigner() }, slots: SLOTS, sharesPort: true, watch },
});
const services = [await createFloorObject({ databaseUrl, connectionsMax, onStep: note })];
const floor = createServer(createEndpointHandler({ services, logger: () => {} }));
floor.listen({ host: "127.0.0.1", port: floorPort, reusePort: true }, () =>
  process.send?.("ready"),
);
process.on("disconnect", () => process.exit());
process.on("message", () => {
  const collected: Collected = { done, commits };
  process.send?.(collected);
  [done, commits] = [[], 0];
});

function watch(watched: Stores): Stores {
  const { log } = watched;
  return {
    ...watched,
    log: {
      ...log,
      takeEpoch: (...given) => {
        commits += 1;
        return log.takeEpoch(...given);
      },
      append: async (append) => {
        commits += 1;
        const answer = await log.append(append);
        if (append.receipt !== undefined) note(append.run);
        return answer;
      },
    },
  };
}
