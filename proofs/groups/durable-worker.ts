/**
 * A worker that serves groups, and kills itself at the boundary that a file names: before and after
 * each member and each compensation, and before and after a receipt is signed.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { startWorker } from "@turnseal/operate/worker";
import type { WorkerPlace } from "../../bench/engine-world.ts";
import { crashSigner } from "../kit/crash-key.ts";
import { type OnCrossing, watchSigner } from "../kit/crossings.ts";
import { tripLoops } from "./trip-loops.ts";

interface Settings extends WorkerPlace {
  /** Has the number of the boundary, from when on they are counted. */
  readonly order: string;
}

const settings = JSON.parse(process.argv[2] ?? "{}") as Settings;
const { databaseUrl, tenant, identityKeys, port, order } = settings;

let crossings = 0;
const onCrossing: OnCrossing = () => {
  if (!existsSync(order)) return;
  crossings += 1;
  if (crossings < Number(readFileSync(order, "utf8"))) return;
  rmSync(order);
  process.kill(process.pid, "SIGKILL");
};

await startWorker({
  ...{ postgres: databaseUrl, tenants: [tenant], slots: 4, identityKeys, port, sharesPort: true },
  host: { loops: [...tripLoops(onCrossing)], signer: watchSigner(crashSigner, onCrossing) },
});
process.send?.("ready");
process.on("disconnect", () => process.exit());
