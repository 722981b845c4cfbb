/** Serves runs that wait for an approval, until it is killed. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { startWorker } from "@turnseal/operate/worker";
import { crashSigner } from "../proofs/kit/crash-key.ts";
import type { WorkerPlace } from "./engine-world.ts";
import { parkedLoops } from "./parked-loops.ts";

const { databaseUrl, tenant, ...place } = JSON.parse(process.argv[2] ?? "{}") as WorkerPlace;
await startWorker({
  ...{ ...place, postgres: databaseUrl, tenants: [tenant], sharesPort: true },
  ...{ host: { ...parkedLoops, signer: crashSigner }, slots: 64, connectionsMax: 20 },
});
process.on("disconnect", () => process.exit());

// A process with nothing to do does not tidy up by itself: what it holds is seen after it did. The
// last resort also gives back the pages that were freed before, which would otherwise be kept.
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as (how: object) => void;
process.on("message", () => {
  collectGarbage({ type: "major", flavor: "last-resort", execution: "sync" });
  // Memory in use, without free pages that the process still holds.
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});
process.send?.("ready");
