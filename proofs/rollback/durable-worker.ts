/**
 * A worker that serves rollbacks, and kills itself at the boundary that a file names: before and
 * after each compensation, and before and after a receipt is signed.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { startWorker } from "@turnseal/operate/worker";
import type { WorkerPlace } from "../../bench/engine-world.ts";
import { crashSigner } from "../kit/crash-key.ts";
import { type OnCrossing, watchSigner } from "../kit/crossings.ts";
import { shelfLoops, shelfRoots } from "./shelf-loops.ts";

interface Settings extends WorkerPlace {
  /** Has the number of the boundary, from when on they are counted. */
  readonly order: string;
  /** The folder that all places are in. */
  readonly folder: string;
}

const settings = JSON.parse(process.argv[2] ?? "{}") as Settings;
const { databaseUrl, tenant, identityKeys, port, order, folder } = settings;

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
  host: {
    ...{ loops: [...shelfLoops(onCrossing)], signer: watchSigner(crashSigner, onCrossing) },
    roots: shelfRoots(folder, onCrossing),
  },
});
process.send?.("ready");
process.on("disconnect", () => process.exit());
