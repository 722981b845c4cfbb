import { uuidFrom } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { findTarget, type Target } from "./find-target.ts";

const run = uuidFrom("a run");

test.each<[string, string, Target]>([
  ["GET", "/v1/health", { kind: "health" }],
  ["GET", "/v1/runs?limit=3", { kind: "list", rows: "runs" }],
  ["GET", "/v1/inbox", { kind: "list", rows: "requests" }],
  ["POST", "/v1/runs", { kind: "start" }],
  ["GET", `/v1/runs/${run}`, { kind: "run", run }],
  ["POST", `/v1/runs/${run}/messages?x=1`, { kind: "run", run }],
  ["POST", "/v1/starts/order%2F7/files", { kind: "key", key: "order/7" }],
  ["POST", "/v1/chats/support", { kind: "talk", agent: "support" }],
  ["GET", "/v1/chats/support/a%20b/stream", { kind: "chat", agent: "support", id: "a b" }],
  ["GET", "/v1/agents", { kind: "any" }],
  ["OPTIONS", "/v1/runs", { kind: "any" }],
  ["GET", "/v1/runs/no-uuid", { kind: "any" }],
  ["GET", "/v2/runs", { kind: "any" }],
  ["GET", "//v1/runs", { kind: "any" }],
  ["GET", "/v1/starts/%E0%A4%A", { kind: "key", key: "%E0%A4%A" }],
])("%s %s", (method, url, target) => {
  expect(findTarget(method, url)).toEqual(target);
});
