import {
  emptyProjection,
  type OpenClaim,
  type OpenTurn,
  type RunProjection,
} from "@turnseal/folds";
import { expect, test } from "vitest";
import { DUE_AHEAD_MS, DUE_LATE_MS_MAX, SILENT_MS_MAX, toSnapshot } from "./to-snapshot.ts";

const startMs = Date.parse("2026-01-31T12:00:00.000Z");
const at = (afterMs: number): string => new Date(startMs + afterMs).toISOString();
const digest: `hmac-sha256:${string}` = `hmac-sha256:${"a".repeat(64)}`;
const input = { digest, size: 2, mediaType: "application/json" };

const claim = (deadlineMs: number): OpenClaim => ({
  ...{ key: "k", claim: 5, hash: "h", call: "c", parentCall: null, name: "local.pay" },
  ...{ effect: "once", excluded: [], role: null, deadlineAt: at(deadlineMs), reserve: {} },
  ...{ periods: null, isUnknown: false, handoff: null },
});

const turnWith = (more: Partial<OpenTurn>): OpenTurn => ({
  ...{ turn: 1, from: 2, resumes: 0, waiting: null, open: [], asked: [] },
  ...{ input, threads: {}, spentBefore: {}, ...more },
});

/** A run in an open turn, so many milliseconds after its start. */
const moving = (afterMs: number, more: Partial<RunProjection> = {}): RunProjection => ({
  ...emptyProjection("run"),
  ...{
    spec: { bounds: {} } as never,
    sequence: 10,
    lastAt: at(afterMs),
    openTurn: turnWith({}),
    ...more,
  },
});

test("a run that moves is due when it was silent for too long, written ahead", () => {
  const dueAt = at(SILENT_MS_MAX + DUE_AHEAD_MS);
  expect(toSnapshot(moving(0)).dueAt).toBe(dueAt);
  expect(toSnapshot(moving(DUE_AHEAD_MS), dueAt).dueAt).toBe(dueAt);
  const moved = at(SILENT_MS_MAX + 2 * DUE_AHEAD_MS + 1);
  expect(toSnapshot(moving(DUE_AHEAD_MS + 1), dueAt).dueAt).toBe(moved);
});

test("a run is not overdue while an action may still take its time", () => {
  const hour = 3_600_000;
  const acting = moving(0, { openTurn: turnWith({ open: [claim(hour), claim(1_000)] }) });
  const dueAt = at(hour + DUE_AHEAD_MS);
  expect(toSnapshot(acting, at(SILENT_MS_MAX)).dueAt).toBe(dueAt);
  // Once it has ended, a lost message is not looked for an hour later.
  const lateMs = hour + DUE_AHEAD_MS - DUE_LATE_MS_MAX - SILENT_MS_MAX;
  expect(toSnapshot(moving(lateMs), dueAt).dueAt).toBe(dueAt);
  expect(toSnapshot(moving(lateMs - 1), dueAt).dueAt).not.toBe(dueAt);
});

test("what waits is due at its own time, whatever is stored", () => {
  const until = at(5_000);
  const waiting = turnWith({ waiting: { for: "time", until } });
  expect(toSnapshot(moving(0, { openTurn: waiting }), at(SILENT_MS_MAX)).dueAt).toBe(until);
  const asking = turnWith({ waiting: { for: "person", until: null } });
  expect(toSnapshot(moving(0, { openTurn: asking }), at(SILENT_MS_MAX)).dueAt).toBeUndefined();
});
