/**
 * Another process at the same run: `node contend.test.process.ts <url> <tenant> <name> <count>`. It
 * takes an epoch for every append, and loses it to the other process, which does the same. It
 * begins when both are there: on a busy machine one could be done before the other has started.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sampleAppend } from "@turnseal/ports/contracts";
import { openPostgresStores } from "./postgres-pool.ts";
import { TEST_ROLES } from "./scratch-database.test.data.ts";

const [url = "", tenant = "", name = "", count = "0"] = process.argv.slice(2);
const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";

const stores = await openPostgresStores({ url, tenant, roles: TEST_ROLES });
await stores.inbox.put({ run, key: `here: ${name}`, kind: "signal", body: {} });
while ((await stores.inbox.peek(run)).length < 2) await sleep(2);
for (let index = 0; index < Number(count); index++) {
  const { epoch, head } = await stores.log.takeEpoch(run);
  await sleep(Math.random() * 3);
  const append = sampleAppend({ epoch, after: head, note: `${name} ${index}` });
  const { kind } = await stores.log.append(append);
  process.stdout.write(`${JSON.stringify({ did: kind, sequence: head.sequence + 1 })}\n`);
}
await stores.close();
