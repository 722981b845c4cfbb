import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalHost, fileKeys, memoryStores } from "turnseal/host";
import { manualClock } from "turnseal/testing";
import { afterAll, beforeEach, expect, test } from "vitest";
import { desk } from "./desk.ts";
import { escalate, models } from "./loops.ts";

const folder = mkdtempSync(join(tmpdir(), "escalation-test-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  desk.length = 0;
});

async function begin(ticket: string) {
  const clock = manualClock(Date.now());
  const stores = memoryStores(clock);
  const signer = await fileKeys({ folder }).openSigner();
  const host = createLocalHost({ loops: [escalate], models, stores, signer, clock });
  const tools = ["local.page-manager", "local.send-reply", "turnseal.question"];
  const grant = { grantor: "ada", tools, budget: { turns: 1, modelCalls: 4, toolCalls: 4 } };
  const run = await host.start(escalate, { ticket }, { key: ticket, grant });
  await host.drive(run);
  return { host, run, clock };
}

test("who is sure answers, and no person is asked", async () => {
  const { host, run } = await begin("the invoice is wrong");
  expect(await host.requests(run)).toEqual([]);
  expect(await host.readOutput(escalate, run)).toEqual({
    sent: "This is how to mend your invoice.",
  });
});

test("a person of the desk is told what was tried, and answers in time", async () => {
  const { host, run } = await begin("the roof leaks");
  const [asked] = await host.requests(run);
  expect(asked).toMatchObject({
    role: "support",
    request: { ticket: "the roof leaks", tried: "It is not about the invoice." },
  });
  const by = { id: "bo", roles: ["support"] };
  await host.answer(run, asked?.id ?? "", { by, answer: { reply: "Take a bucket." } });
  await host.drive(run);
  expect(desk).toEqual(["sent: Take a bucket."]);
});

test("after four hours the manager is paged once and asked, and the desk is too late", async () => {
  const { host, run, clock } = await begin("the roof leaks");
  const [late] = await host.requests(run);
  clock.advance(5 * 60 * 60 * 1_000);
  await host.drive(run);
  const [asked] = await host.requests(run);
  expect(asked?.role).toBe("manager");
  expect(desk).toEqual(["paged: late: the roof leaks"]);
  const by = { id: "bo", roles: ["support"] };
  const answer = { reply: "Sorry, I slept." };
  await expect(host.answer(run, late?.id ?? "", { by, answer })).rejects.toThrow();
  const manager = { id: "eve", roles: ["manager"] };
  await host.answer(run, asked?.id ?? "", { by: manager, answer: { reply: "A roofer comes." } });
  await host.drive(run);
  expect(desk).toEqual(["paged: late: the roof leaks", "sent: A roofer comes."]);
});
