// A run that a program drives, decided by a command: the program acts, so no resume is offered.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { definePrompt, defineTool, scriptedModel, turnseal } from "../public/index.ts";
import { startProgram } from "../start-program.test.data.ts";

const store = mkdtempSync(join(tmpdir(), "turnseal-of-program-"));
afterAll(() => rmSync(store, { recursive: true }));

const types = { input: z.object({ order: z.string() }), output: z.object({ text: z.string() }) };
const pay = defineTool({ id: "pay", ...types, run: ({ order }) => ({ text: `paid ${order}` }) });
const refund = definePrompt({
  ...{ id: "refund", ...types, template: "Refund {{order}}.", tools: [pay] },
  backend: { id: "script" },
});
const models = {
  script: scriptedModel([
    { toolCalls: [{ tool: "local__pay", input: { order: "A-1" } }] },
    "Refunded.",
  ]),
};
const rules = [{ id: "payments", decision: "ask", tools: ["local.pay"] }] as const;

async function ask(...args: string[]) {
  const { ended, out, err } = startProgram([...args, "--store", store], { USER: "ada" });
  return { code: await ended, out: out(), err: err() };
}

test("an approval names no resume that would be refused, and the program goes on", async () => {
  const host = await turnseal({ store, models, environment: {} });
  const grant = { tools: ["local.pay"], budget: { modelCalls: 4, toolCalls: 1 } };
  const policy = { name: "refunds", rules };
  const { run } = await host.run(refund, { order: "A-1" }, { grant, policy });

  const approved = await ask("approve", "last");
  expect(approved.code).toBe(0);
  expect(approved.out).not.toContain("turnseal resume");
  expect(approved.out).toContain("the program that started the run");

  const resumed = await ask("resume", "last");
  expect(resumed.code).not.toBe(0);
  expect(resumed.err).toContain("next: start that program, which continues it");

  expect(await host.resume(refund, run)).toMatchObject({ status: "completed" });
  await host.close();
});
