import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalize, type LoopEvent, type Policy, verifyRun } from "turnseal";
import { createLocalHost, fileKeys, sqliteStores } from "turnseal/host";
import { lookup, models, payOnce, refund } from "./loops.ts";

const folder = mkdtempSync(join(tmpdir(), "refund-"));
const ledger = join(folder, "refunds.txt");
Object.assign(process.env, { REFUND_LEDGER: ledger, REFUND_SLOW_MS: "10" });

// One file for the runs, one folder for the keys that sign their receipts.
const stores = sqliteStores({ file: join(folder, "runs.db") });
const keys = fileKeys({ folder: join(folder, "keys") });
const signer = await keys.openSigner();
const host = createLocalHost({ loops: [lookup, payOnce, refund], models, stores, signer });

// The grant says what the run may do at all, the rules what of it a person is asked for.
const grant = { grantor: "ada", tools: ["local.lookup", "local.pay-once"], budget: { turns: 1 } };
const payments = { tools: ["local.pay-once"] };
const large = { when: "args.amountCents > 1000", role: "finance" };
const policy: Policy = {
  name: "refunds",
  rules: [
    { id: "refunds", decision: "allow", ...payments },
    { id: "large-refunds", decision: "ask", ...payments, ...large },
  ],
};

// The same key starts the same run: however often this is called, the order is refunded once.
const options = { grant, policy, key: "order A-17" };
const run = await host.start(refund, { order: "A-17" }, options);
await host.drive(run);

// It waits. This program names the person who decides.
const ada = { id: "ada", roles: ["finance"] };
for (const { id, name, request } of await host.requests(run)) {
  console.log(`${name} waits: ${JSON.stringify(request)}`);
  await host.decide(run, id, { choice: "approve", by: ada });
}
await host.drive(run);
await host.drive(await host.start(refund, { order: "A-17" }, options));

const output = await host.readOutput(refund, run); // { text: string } | undefined
console.log(output?.text);
console.log(`stopped: ${(await host.show(run))?.stopped}`);
console.log(`payments: ${readFileSync(ledger, "utf8").trim().split("\n").length}`);

// What a stranger needs: the events, the receipts, and the public keys.
const events: LoopEvent[] = [];
for await (const event of host.events(run)) events.push(event);
const receipts = await stores.receipts.list(run, 1);
const texts = receipts.map(({ envelope }) => canonicalize(envelope));
const verdict = await verifyRun({ run, events, receipts: texts }, { keys: await keys.listKeys() });
console.log(`valid: ${verdict.valid}`);

stores.close();
rmSync(folder, { recursive: true });
