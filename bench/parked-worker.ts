/** Serves runs that wait for an approval, until it is killed. */
import { createServer } from "node:http2";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { openPostgresStores } from "@turnseal/adapters/postgres";
import { bindHost } from "@turnseal/host";
import { createRunObject } from "@turnseal/host/restate";
import { crashSigner } from "../tools/crash/crash-key.ts";
import { parkedLoops } from "./parked-loops.ts";

interface Settings {
  readonly databaseUrl: string;
  readonly tenant: string;
  readonly port: number;
}

const { databaseUrl, tenant, port } = JSON.parse(process.argv[2] ?? "{}") as Settings;
const stores = await openPostgresStores({ url: databaseUrl, tenant, connectionsMax: 20 });
const ports = bindHost({ ...parkedLoops, stores, signer: crashSigner });
const portsOf = (asked: string) => (asked === tenant ? ports : undefined);
const services = [createRunObject({ portsOf })];
const server = createServer(createEndpointHandler({ services, logger: () => {} }));
server.listen({ host: "127.0.0.1", port, reusePort: true }, () => process.send?.("ready"));
process.on("disconnect", () => process.exit());

// A process with nothing to do does not tidy up by itself: what it holds is seen after it did. The
// last resort also gives back the pages that were freed before, which would otherwise be kept.
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as (how: object) => void;
process.on("message", () => {
  collectGarbage({ type: "major", flavor: "last-resort", execution: "sync" });
  // What is in use, apart from what the machine has lent and not been given back.
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});
