/** A worker as a process of its own: serves runs to the engine until it is killed. */
import { startWorker } from "@turnseal/operate/worker";
import { crashSigner } from "../kit/crash-key.ts";
import { createPost, createTurnLoops, instantModel } from "./payment-turns.ts";
import type { WorkerSettings } from "./start-worker.ts";

const settings = JSON.parse(process.argv[2] ?? "{}") as WorkerSettings;
const { databaseUrl, tenant, outsideUrl, build, ...rest } = settings;

await startWorker({
  ...rest,
  host: {
    loops: createTurnLoops({ post: createPost(outsideUrl), build }),
    signer: crashSigner,
    models: { instant: instantModel },
  },
  postgres: databaseUrl,
  tenants: [tenant],
  // Refuses to start without a synchronous standby, unless the settings say that there is none.
  production: true,
  withoutStandby: !settings.hasStandby,
  sharesPort: true,
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
