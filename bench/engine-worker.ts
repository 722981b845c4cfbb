/** Serves runs and the floor to the engine, and says when each turn and each step was done. */
import { createServer } from "node:http2";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { openPostgresStores } from "@turnseal/adapters/postgres";
import { bindHost } from "@turnseal/host";
import { createRunObject } from "@turnseal/host/restate";
import type { Stores } from "@turnseal/ports";
import { createFloorObject } from "./engine-floor.ts";
import type { Collected, StepDone } from "./engine-world.ts";
import { createSigner, sampleLoops } from "./sample-turn.ts";

/** What a worker is told. */
export interface EngineWorkerSettings {
  readonly databaseUrl: string;
  readonly tenant: string;
  readonly port: number;
  readonly connectionsMax: number;
  /** How long one message goes on starting turns. */
  readonly sliceMs: number;
}

const settings = JSON.parse(process.argv[2] ?? "{}") as EngineWorkerSettings;
const { databaseUrl, tenant, port, connectionsMax, sliceMs } = settings;
let done: StepDone[] = [];
let commits = 0;
const note = (key: string): void => {
  done.push({ key, atMs: performance.timeOrigin + performance.now() });
};

const stores = await openPostgresStores({ url: databaseUrl, tenant, connectionsMax });
const ports = bindHost({ ...sampleLoops, stores: watch(stores), signer: createSigner() });
const portsOf = (asked: string) => (asked === tenant ? ports : undefined);
const services = [
  createRunObject({ portsOf, sliceMs }),
  await createFloorObject({ databaseUrl, connectionsMax, onStep: note }),
];
const server = createServer(createEndpointHandler({ services, logger: () => {} }));
server.listen({ host: "127.0.0.1", port, reusePort: true }, () => process.send?.("ready"));
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
      takeEpoch: (run) => {
        commits += 1;
        return log.takeEpoch(run);
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
