import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalHost, fileKeys, memoryStores } from "turnseal/host";
import { manualClock } from "turnseal/testing";
import { desk } from "./desk.ts";
import { escalate, models } from "./loops.ts";

const folder = mkdtempSync(join(tmpdir(), "escalation-"));
const signer = await fileKeys({ folder }).openSigner();
// It begins when the key does, and goes on when it is told to.
const clock = manualClock(Date.now());
const stores = memoryStores(clock);
const host = createLocalHost({ loops: [escalate], models, stores, signer, clock });
const tools = ["local.page-manager", "local.send-reply", "turnseal.question"];
const grant = { grantor: "ada", tools, budget: { turns: 1, modelCalls: 4, toolCalls: 4 } };

for (const ticket of ["my password is lost", "the invoice is wrong", "the roof leaks"]) {
  console.log(ticket);
  const run = await host.start(escalate, { ticket }, { key: ticket, grant });
  await host.drive(run);
  for (let [asked] = await host.requests(run); asked; [asked] = await host.requests(run)) {
    console.log(`  waits for the role ${asked.role}: ${JSON.stringify(asked.request)}`);
    const by = { id: "eve", roles: ["manager"] };
    const answer = { reply: "A roofer is on the way." };
    // Of the desk no answer comes.
    if (asked.role === "manager") await host.answer(run, asked.id, { by, answer });
    else clock.advance(5 * 60 * 60 * 1_000);
    await host.drive(run);
  }
  for (const line of desk.splice(0)) console.log(`  ${line}`);
}
rmSync(folder, { recursive: true });
