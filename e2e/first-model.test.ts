// The guide to a first real model, executed as it is printed, against a server that speaks like
// one.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repositoryRoot } from "../tools/tidy/tree.ts";
import { runGuide } from "./run-guide.ts";

const folder = join(repositoryRoot, ".turnseal/first-model");
const KEY = "sk-guide-0123456789";
let server: LLMock;

beforeAll(async () => {
  server = await LLMock.create({ port: 0 });
  server.onMessage(/charged twice/, { content: '{"team":"billing","urgent":true}' });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test("a provider with a key and a server without one answer", { timeout: 60_000 }, async () => {
  const base = `${server.url}/v1`;
  await runGuide({
    document: "docs/guide/first-model.md",
    folder,
    mark: "with-model",
    env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: base },
    adapt: (script) => script.replace("http://127.0.0.1:8080/v1", base),
  });
  // Once each: nothing was tried again behind anybody's back.
  const requests = server.getRequests();
  expect(requests.map(({ path }) => path)).toEqual(["/v1/responses", "/v1/chat/completions"]);
});
