// A table whose participants ask a provider over real HTTP, through the command.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sayCommand } from "./say-command.test.data.ts";

const store = mkdtempSync(join(tmpdir(), "turnseal-table-"));
const loops = fileURLToPath(new URL("./__fixtures__/table.mjs", import.meta.url));
let server: LLMock;
beforeAll(async () => {
  server = await LLMock.create({ port: 0 });
  server.onMessage(/writer on .*news/, { content: "a draft" });
  server.onMessage(/critic on .*news.* after .*a draft/, { content: "too long" });
});
afterAll(async () => {
  await server.stop();
  rmSync(store, { recursive: true });
});

async function turnseal(args: readonly string[], environment: Record<string, string>) {
  return sayCommand([...args, "--store", store], environment);
}

const grant = join(store, "grant.json");
writeFileSync(
  grant,
  JSON.stringify({
    grantor: "desk",
    tools: [],
    handoffs: ["writer", "critic"],
    budget: { modelCalls: 2 },
  }),
);
const run = [...["run", "room", "--from", loops, "--input", '{"topic":"news"}', "--grant", grant]];

test("the participants' models are bound, and `last` is the table", async () => {
  const ran = await turnseal(run, { TURNSEAL_OPENAI_COMPATIBLE_URL: `${server.url}/v1` });
  expect(ran.code, ran.out + ran.err).toBe(0);
  expect(ran.out).toContain("too long");
  expect(server.getRequests()).toHaveLength(2);
  const shown = await turnseal(["show", "last"], {});
  expect(shown.out).toContain("room 1.0.0");
});

test("a participant whose model is not set up is named before anything runs", async () => {
  server.clearRequests();
  const ran = await turnseal(run, {});
  expect(ran.code).not.toBe(0);
  expect(ran.err + ran.out).toContain("set TURNSEAL_OPENAI_COMPATIBLE_URL in the environment");
  expect(server.getRequests()).toHaveLength(0);
});
