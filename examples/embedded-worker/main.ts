// A worker inside a program of one's own: it carries runs for an engine until it is told to stop.
import { once } from "node:events";
import { fileKeys } from "turnseal/host";
import { createWorkerLog, deployWorker, startWorker } from "turnseal/worker";
import { greet } from "./loops.ts";

const { TURNSEAL_POSTGRES_URL = "", TURNSEAL_TENANT = "default" } = process.env;
const { ENGINE_ADMIN = "http://127.0.0.1:9070", ENGINE_KEY = "" } = process.env;

const log = createWorkerLog((line) => process.stdout.write(line));
const worker = await startWorker({
  host: { loops: [greet], signer: await fileKeys({ folder: ".turnseal/keys" }).openSigner() },
  postgres: TURNSEAL_POSTGRES_URL,
  tenants: [TURNSEAL_TENANT],
  // It answers nobody but this engine.
  identityKeys: [ENGINE_KEY],
  log,
});

// A start changes nothing of where runs go. Here it is the only worker: it says that they come to
// it. In production a pipeline does so, with `turnseal deploy`.
await deployWorker(worker, { admin: ENGINE_ADMIN, postgres: TURNSEAL_POSTGRES_URL });
log.say("info", "worker.deployed", { release: worker.release.name });

// The rest of the program goes here.
await once(process, "SIGTERM");

// Actions in flight get half a minute to end.
await worker.drain(30_000);
