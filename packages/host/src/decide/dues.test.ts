import { emptyProjection, type OpenTurn, type RunProjection } from "@turnseal/folds";
import type { RunSpec } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { dues } from "./dues.ts";

const spec: RunSpec = {
  loop: "a",
  version: "1.0.0",
  grant: { grantor: "me", tools: [], budget: {} },
  bounds: { turnsMax: 1, failuresMax: 1, resumesMax: 1 },
  pinned: {},
};
const open: OpenTurn = {
  turn: 1,
  from: 2,
  resumes: 0,
  waiting: null,
  open: [],
  asked: [],
  input: { digest: `hmac-sha256:${"a".repeat(64)}`, size: 2, mediaType: "application/json" },
  threads: {},
  spentBefore: {},
};
const owed = (run: Partial<RunProjection>) => dues({ ...emptyProjection("r"), spec, ...run });

test("a run that has stopped is done", () => {
  expect(owed({ stopped: "failed", openTurn: open })).toEqual({ kind: "done" });
});

test("a run that moves is to be continued", () => {
  expect(owed({})).toEqual({ kind: "continue" });
  expect(owed({ openTurn: open })).toEqual({ kind: "continue" });
});

test("a turn that waits for a time is woken then, one that waits for a person is not", () => {
  const until = "2026-01-01T00:00:00.000Z";
  expect(owed({ openTurn: { ...open, waiting: { for: "time", until } } })).toEqual({
    kind: "wake",
    atMs: Date.parse(until),
  });
  expect(owed({ openTurn: { ...open, waiting: { for: "person", until: null } } })).toEqual({
    kind: "wait",
  });
});

test("a run that was never started waits for its start, and is not turned round and round", () => {
  expect(owed({ spec: null })).toEqual({ kind: "wait" });
});

test("a cancelled run is continued to its end, whatever it waited for", () => {
  const waiting = { for: "person", until: null } as const;
  expect(owed({ isCancelled: true, openTurn: { ...open, waiting } })).toEqual({ kind: "continue" });
});
