/** A worker that serves the tree of fan-outs. */
import { startWorker } from "@turnseal/operate/worker";
import type { WorkerPlace } from "../../bench/engine-world.ts";
import { crashSigner } from "../kit/crash-key.ts";
import { type TreeShape, treeLoops } from "./tree-loops.ts";

interface TreeWorkerSettings extends WorkerPlace {
  readonly slots: number;
  readonly shape: TreeShape;
}

const settings = JSON.parse(process.argv[2] ?? "{}") as TreeWorkerSettings;
const { databaseUrl, tenant, shape, slots, identityKeys, port } = settings;

await startWorker({
  ...{ postgres: databaseUrl, tenants: [tenant], slots, identityKeys, port, sharesPort: true },
  host: { loops: [treeLoops(shape)], signer: crashSigner },
});
process.send?.("ready");
process.on("disconnect", () => process.exit());
