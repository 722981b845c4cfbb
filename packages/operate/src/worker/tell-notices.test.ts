import { expect, test } from "vitest";
import { NOTICES_MAX, tellNotices } from "./tell-notices.ts";
import { createWorkerLog } from "./worker-log.ts";

const run = { tenant: "acme", run: "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d" };

function open() {
  const lines: string[] = [];
  const clock = { atMs: 0 };
  const tell = tellNotices(
    createWorkerLog((line) => lines.push(line)),
    () => clock.atMs,
  );
  return { tell, clock, lines, last: () => JSON.parse(lines.at(-1) ?? "") };
}

test("a warning and an error are written, with what they name, and nothing else is", () => {
  const { tell, lines, last } = open();
  for (const level of ["trace", "debug", "info"]) tell({ level });
  expect(lines).toEqual([]);
  tell({ level: "error", code: "LOG_FENCED", run });
  expect(last()).toMatchObject({
    ...run,
    level: "error",
    what: "engine.notice",
    code: "LOG_FENCED",
  });
});

test("lines without a run are NOTICES_MAX in a minute, and the next says what was left out", () => {
  const { tell, clock, lines, last } = open();
  for (let times = 0; times < NOTICES_MAX + 7; times++) tell({ level: "error" });
  expect(lines).toHaveLength(NOTICES_MAX);
  tell({ level: "warn", run });
  expect(last()).toMatchObject({ level: "warn", ...run });
  clock.atMs = 60_000;
  tell({ level: "error" });
  expect(last()).toMatchObject({ left: 7 });
  tell({ level: "error" });
  expect(last()).not.toHaveProperty("left");
  expect(lines).toHaveLength(NOTICES_MAX + 3);
});
