/** A worker as a process of its own: serves runs to the engine until it is killed. */
import { createServer } from "node:http2";
import { openPostgresStores } from "@turnseal/adapters/postgres";
import { bindHost } from "@turnseal/host";
import { createRunEndpoint } from "@turnseal/host/restate";
import { crashSigner } from "../crash/crash-key.ts";
import { createPost, createTurnLoops, instantModel } from "./payment-turns.ts";
import type { WorkerSettings } from "./start-worker.ts";

const settings = JSON.parse(process.argv[2] ?? "{}") as WorkerSettings;
const { databaseUrl, tenant, outsideUrl, build, port, sliceMs } = settings;

const stores = await openPostgresStores({
  url: databaseUrl,
  tenant,
  connectionsMax: settings.connectionsMax,
  // Refuses to start without a synchronous standby, unless it is told that there is none.
  mode: "production",
  withoutStandby: !settings.hasStandby,
});
const ports = bindHost({
  loops: createTurnLoops({ post: createPost(outsideUrl), build }),
  stores,
  signer: crashSigner,
  models: { instant: instantModel },
});
const portsOf = (asked: string) => (asked === tenant ? ports : undefined);
const { identityKeys, actionMaxMs } = settings;
const endpoint = { portsOf, sliceMs, actionMaxMs, identityKeys, onNotice: () => {} };
const server = createServer(createRunEndpoint(endpoint));
// Several workers share one address, and the system deals connections out among them.
server.listen({ host: "127.0.0.1", port, reusePort: true }, () => process.send?.("ready"));
process.on("disconnect", () => process.exit());
