/** A worker of the fleet: told where things are, it writes its log to its output. */
import { createWorkerLog, startWorker } from "@turnseal/operate/worker";
import { createSigner } from "../../bench/sample-turn.ts";
import type { WorkerSettings } from "./fleet.ts";
import { poisonLoops } from "./poison-loops.ts";

const settings = JSON.parse(process.argv[2] ?? "{}") as WorkerSettings;
await startWorker({
  ...{ ...settings, sharesPort: true },
  host: { loops: poisonLoops, signer: createSigner() },
  log: createWorkerLog((line) => process.stdout.write(line)),
});
process.send?.("ready");
process.on("disconnect", () => process.exit());
