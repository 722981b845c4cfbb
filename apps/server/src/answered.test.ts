import { expect, test } from "vitest";
import { createServer } from "./create-server.ts";
import type { Answered } from "./http/tell-answered.ts";

test("requests are counted by words of ours, and by nothing that was sent", async () => {
  const told: Answered[] = [];
  const server = createServer({
    ...{ tenants: () => undefined, agents: {} },
    onAnswered: (answered) => told.push(answered),
  });
  for (const [method, path] of [
    ["GET", "/v1/health"],
    ["GET", "/v1/runs/secret-name"],
    ["POST", "/v1/runs/secret-name/messages"],
    ["BREW", "/v1/runs/secret-name"],
    ["GET", "/secret-name"],
  ] as const)
    await server.fetch(new Request(`http://127.0.0.1${path}`, { method }));
  expect(told.map(({ method, route, status }) => [method, route, status])).toEqual([
    ["GET", "/v1/health", 200],
    ["GET", "/v1/runs/:run", 401],
    ["POST", "/v1/runs/:run/messages", 401],
    ["other", "none", 401],
    ["GET", "none", 401],
  ]);
  expect(JSON.stringify(told)).not.toContain("secret-name");
});
