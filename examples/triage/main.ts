import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Policy } from "turnseal";
import { createLocalHost, fileKeys, sqliteStores } from "turnseal/host";
import { models, triage } from "./loops.ts";
import { tracker } from "./tracker.ts";

const folder = mkdtempSync(join(tmpdir(), "triage-"));
const stores = sqliteStores({ file: join(folder, "runs.db") });
const signer = await fileKeys({ folder: join(folder, "keys") }).openSigner();
const host = createLocalHost({ loops: [triage], models, stores, signer });

// Labels are free, what others read or lose is asked for.
const policy: Policy = {
  name: "triage",
  rules: [
    { id: "labels", decision: "allow", tools: ["local.label-issue"] },
    { id: "public", decision: "ask", tools: ["local.comment-issue", "local.close-issue"] },
  ],
};
const tools = ["local.label-issue", "local.comment-issue", "local.close-issue"];
const grant = { grantor: "ada", tools, budget: { turns: 1, modelCalls: 10, toolCalls: 10 } };

const issues = [
  { number: 1, title: "Crash on start", body: "It ends with 70." },
  { number: 2, title: "BUY NOW", body: "The best casino" },
  { number: 3, title: "How do I log in?", body: "I found no button." },
  { number: 4, title: "Casino", body: "buy buy" },
];
const run = await host.start(triage, { issues }, { grant, policy, key: "monday" });
await host.drive(run);

// All that needs a person waits at once. They are answered in any order, each by its own id.
const waiting = await host.requests(run);
for (const { name, request } of waiting) console.log(`${name} waits: ${JSON.stringify(request)}`);
for (const { id } of waiting.toReversed())
  await host.decide(run, id, { choice: "approve", by: { id: "ada", roles: [] } });
await host.drive(run);

console.log(`stopped: ${(await host.show(run))?.stopped}`);
for (const outcome of (await host.readOutput(triage, run)) ?? [])
  console.log(outcome.status === "ok" ? outcome.output.did : outcome.error.code);
console.log(`done outside: ${tracker.lines().toSorted().join(", ")}`);
stores.close();
rmSync(folder, { recursive: true });
