/** A server with runs that wait for a message. It reports its memory on request. */
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createLocalHost } from "@turnseal/host";
import { memoryLiveBus, memoryStores, systemClock } from "@turnseal/ports";
import { definePrompt, jsonSchema } from "@turnseal/protocol/authoring";
import { createServer, driveRuns, serve } from "@turnseal/server";
import { createSigner } from "./sample-turn.ts";

/** The worker's messages: first its address, then its memory. */
export interface ServedRuns {
  readonly url: string;
  readonly runs: readonly string[];
}
export interface HeldMemory {
  readonly residentBytes: number;
  readonly streams: number;
}

const runsCount = Number(process.argv[2]);
const live = memoryLiveBus();
const stores = memoryStores(systemClock);
const chat = definePrompt({
  ...{ id: "chat", version: "1.0.0", template: "{{text}}" },
  input: jsonSchema<{ readonly text: string }>({ type: "object" }),
  output: jsonSchema<unknown>(true),
});
const host = createLocalHost({ loops: [chat], stores, signer: createSigner(), live });
const { lookAt } = driveRuns({ drive: host.drive });
const agent = {
  loop: chat,
  grant: { grantor: "bench", tools: [], budget: {} },
  bounds: { turnsMax: 100, awaits: ["message"] },
};
const runs: string[] = [];
for (let index = 0; index < runsCount; index++) {
  const run = await host.start(chat, { text: "hello" }, agent);
  await host.drive(run);
  runs.push(run);
}
const server = createServer({
  tenants: () => ({ ...host, stores, live, lookAt }),
  agents: { chat: agent },
  authenticate: () => ({ tenant: "bench", id: "bench", roles: [] }),
  limits: { requestsMax: Number.MAX_SAFE_INTEGER },
});
const { url } = await serve(server, { port: 0 });

// A process with nothing to do does not tidy up by itself: what it holds is seen after it did.
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
process.on("message", () => void tellMemory());
process.on("disconnect", () => process.exit());
process.send?.({ url, runs } satisfies ServedRuns);

async function tellMemory(): Promise<void> {
  collectGarbage();
  await sleep(500);
  collectGarbage();
  process.send?.({
    residentBytes: process.memoryUsage.rss(),
    streams: server.streamCount(),
  } satisfies HeldMemory);
}
