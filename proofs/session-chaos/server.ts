/**
 * The real server and the worker behind it as one process, over one SQLite file, until it is
 * killed. The next one goes on with every run that is not at rest.
 */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { createLocalHost, dues } from "@turnseal/host";
import { memoryLiveBus } from "@turnseal/ports";
import { apiKeys, createServer, driveRuns, type SessionHost, serve } from "@turnseal/server";
import { crashSigner } from "../kit/crash-key.ts";
import { createChatAgent } from "./chat-agent.ts";
import { PACE_MS, type ServerSettings } from "./server-process.ts";

const settings = JSON.parse(process.argv[2] ?? "{}") as ServerSettings;
const runsFile = join(settings.folder, "runs.txt");
const stores = sqliteStores({ file: join(settings.folder, "runs.db") });
const live = memoryLiveBus();
const { loops, models, agent } = createChatAgent({ ledger: settings.ledger, paceMs: PACE_MS });
const local = createLocalHost({ loops, models, stores, live, signer: crashSigner });

const driven = driveRuns({
  drive: local.drive,
  onFailure: (_, error) => console.error(error),
});

function lookAt(run: string): void {
  appendFileSync(runsFile, `${run}\n`);
  driven.lookAt(run);
}

async function isAtRest(run: string): Promise<boolean> {
  const projection = await local.show(run);
  if (projection === undefined) return false;
  const { kind } = dues(projection);
  return kind === "done" || (kind === "wait" && !(await stores.inbox.has(run)));
}

const host: SessionHost = { ...local, stores, live, lookAt };
const sha256 = createHash("sha256").update(settings.token).digest("hex");
const server = createServer({
  tenants: () => host,
  agents: { chat: agent },
  authenticate: apiKeys([{ sha256, tenant: "chaos", id: "ada" }]),
  // All sessions are one tenant's here, and none of them is slow to ask again.
  limits: { requestsMax: Number.MAX_SAFE_INTEGER },
  onFailure: (error) => console.error(error),
});
await serve(server, { port: settings.port });
const known = existsSync(runsFile) ? readFileSync(runsFile, "utf8").trim().split("\n") : [];
for (const run of new Set(known)) if (!(await isAtRest(run))) lookAt(run);
process.send?.("ready");
