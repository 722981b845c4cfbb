/** Starts many runs of a tenant at once, in a process of its own, and says which. */
import { openPostgresStores } from "@turnseal/adapters/postgres";
import { createLocalHost } from "@turnseal/host";
import { createIngress } from "@turnseal/host/restate";
import { createPost } from "@turnseal/runtime/engine";
import { fleetLoops, startRest } from "./fleet-loops.ts";
import type { FleetFlood } from "./fleet-world.ts";
import { createSigner } from "./sample-turn.ts";

const { databaseUrl, ingress, tenant, runs, ms } = JSON.parse(
  process.argv[2] ?? "{}",
) as FleetFlood;
const stores = await openPostgresStores({ url: databaseUrl, tenant });
const { put } = createIngress({ ingress, tenant, post: createPost(60_000) });
const host = createLocalHost({ ...fleetLoops, stores, signer: createSigner(), put });
process.send?.(await Promise.all(Array.from({ length: runs }, () => startRest(host, ms))));
await stores.close();
process.disconnect?.();
