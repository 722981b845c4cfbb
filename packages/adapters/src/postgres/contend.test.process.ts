/**
 * Another process at the same run: `node contend.test.process.ts <url> <tenant> <name> <count>`. It
 * takes an epoch for every append, and loses it to whoever does the same.
 */
import { sampleAppend } from "@turnseal/ports/contracts";
import { openPostgresStores } from "./postgres-stores.ts";
import { TEST_ROLES } from "./scratch-database.test.data.ts";

const [url = "", tenant = "", name = "", count = "0"] = process.argv.slice(2);
const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";

const stores = await openPostgresStores({ url, tenant, roles: TEST_ROLES });
for (let index = 0; index < Number(count); index++) {
  const { epoch, head } = await stores.log.takeEpoch(run);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
  const append = sampleAppend({ epoch, after: head, note: `${name} ${index}` });
  const { kind } = await stores.log.append(append);
  process.stdout.write(`${JSON.stringify({ did: kind, sequence: head.sequence + 1 })}\n`);
}
await stores.close();
