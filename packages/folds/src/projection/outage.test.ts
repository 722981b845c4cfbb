/** Settlements beside a failed request; the rest is in scenarios/limits/outages.test.ts. */
import type { EventOf } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { noteProvider } from "./outage.ts";
import type { Provider } from "./provider-state.ts";
import type { OpenTurn } from "./run-projection.ts";

const provider: Provider = {
  is: "away",
  model: "a/b",
  failure: "MODEL_FAILED",
  reserve: {},
  call: "ask",
};

function settle(call: string, content: object): Provider | undefined {
  const turn = { open: [], provider } as unknown as OpenTurn;
  return noteProvider(turn, { call, content } as unknown as EventOf<"action.settled">).provider;
}

test.each([
  ["another call's that succeeds", "look", { action: "tool", status: "ok" }, provider],
  ["another call's that is stopped", "look", { action: "model", status: "cancelled" }, provider],
  ["another call's that fails", "look", { action: "tool", status: "failed" }, undefined],
  ["the call's own that succeeds", "ask", { action: "model", status: "ok" }, undefined],
  ["the call's own that is stopped", "ask", { action: "model", status: "cancelled" }, undefined],
])("after a request that failed: %s", (_, call, content, expected) => {
  expect(settle(call, content)).toEqual(expected);
});

test("after one that failed: another provider's that fails", () => {
  const failure = { failure: "MODEL_UNREACHABLE", retry: "retry" };
  expect(settle("other", { action: "model", status: "failed", ...failure })).toMatchObject({
    ...{ is: "away", failure: "MODEL_UNREACHABLE", call: "other" },
  });
});
