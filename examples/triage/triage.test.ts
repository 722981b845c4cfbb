import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalHost, fileKeys, memoryStores, systemClock } from "turnseal/host";
import { afterAll, expect, test } from "vitest";
import { models, triage } from "./loops.ts";
import { tracker } from "./tracker.ts";

const folder = mkdtempSync(join(tmpdir(), "triage-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

const issues = Array.from({ length: 6 }, (_, index) => ({
  number: index + 1,
  title: index % 2 === 0 ? "Casino" : "Crash",
  body: "",
}));
const tools = ["local.label-issue", "local.close-issue"];
const grant = { grantor: "ada", tools, budget: { turns: 1, modelCalls: 6, toolCalls: 6 } };
const policy = {
  name: "triage",
  rules: [
    { id: "labels", decision: "allow", tools: ["local.label-issue"] },
    { id: "closes", decision: "ask", tools: ["local.close-issue"] },
  ],
} as const;

test("what waits in three items is answered by other hosts, and done once", async () => {
  const stores = memoryStores(systemClock);
  const signer = await fileKeys({ folder }).openSigner();
  const open = () => createLocalHost({ loops: [triage], models, stores, signer });
  const run = await open().start(triage, { issues }, { key: "test", grant, policy });
  await open().drive(run);
  const waiting = await open().requests(run);
  expect(waiting.map(({ request }) => request)).toEqual(
    [1, 3, 5].map((number) => ({ number, reason: "spam: Casino" })),
  );
  expect(tracker.lines()).toHaveLength(3);

  for (const { id } of waiting.toReversed()) {
    const host = open();
    await host.decide(run, id, { choice: "approve", by: { id: "ada", roles: [] } });
    await host.drive(run);
  }
  const closed = tracker.lines().filter((line) => line.includes("closed"));
  expect(closed.toSorted()).toEqual([1, 3, 5].map((n) => `#${n} closed: spam: Casino`));
  expect(await open().show(run)).toMatchObject({ stopped: "goal-reached" });
  const output = await open().readOutput(triage, run);
  const numbers = output?.map((one) => (one.status === "ok" ? one.output.number : 0));
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6]);
});

test("a rejection ends the flow, and what else waited is not done", async () => {
  const before = tracker.lines().length;
  const stores = memoryStores(systemClock);
  const signer = await fileKeys({ folder }).openSigner();
  const host = createLocalHost({ loops: [triage], models, stores, signer });
  const spam = issues.filter(({ title }) => title === "Casino");
  const run = await host.start(triage, { issues: spam }, { key: "rejected", grant, policy });
  await host.drive(run);
  const [first, second] = await host.requests(run);
  const by = { id: "ada", roles: [] };
  await host.decide(run, first?.id ?? "", { choice: "reject", by });
  await host.drive(run);
  expect(await host.requests(run)).toEqual([]);
  expect(await host.readOutput(triage, run)).toBeUndefined();
  expect(second).toBeDefined();
  expect(tracker.lines()).toHaveLength(before);
});
