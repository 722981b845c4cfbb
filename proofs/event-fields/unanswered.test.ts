/** A type of event that is added does not compile until each of these has answered it. */
import { expect, test } from "vitest";
import { listUnanswered } from "./unanswered.ts";

const events = "packages/protocol/src/events";
const added = [
  {
    file: `${events}/event-types.ts`,
    find: '  "log",\n',
    replace: '  "log",\n  "artifact.noted",\n',
  },
  {
    file: `${events}/event.ts`,
    find: "  log: LogLine;\n",
    replace: '  log: LogLine;\n  "artifact.noted": { readonly artifact: string };\n',
  },
];

/** Everybody who folds the log, and who says what an event holds. */
const folds = [
  "packages/folds/src/projection/apply-event.ts",
  "packages/folds/src/projection/apply-to-turn.ts",
  "packages/views/src/metrics/measure-runs.ts",
  "packages/views/src/mplp/follow-mplp.ts",
  "packages/views/src/prov/follow-prov.ts",
  "packages/views/src/run/follow-allowances.ts",
  "packages/views/src/run/follow-refusals.ts",
  "packages/views/src/run/follow-reports.ts",
  "packages/views/src/run/summarize-run.ts",
  "packages/views/src/session/apply-session-event.ts",
  "packages/views/src/session/apply-to-tools.ts",
  "packages/views/src/view-table.ts",
  "packages/ports/src/stores/event-log/sample-event.ts",
  "packages/protocol/src/events/content-fields.ts",
  "packages/protocol/src/events/event.test-d.ts",
  "packages/protocol/src/events/fold-spending.ts",
  "packages/protocol/src/trace/pick-call-events.ts",
  "packages/operate/src/worker/worker-log.ts",
  "packages/testing/src/harness/record-words.ts",
  "proofs/simulate/count-answers.ts",
  "proofs/simulate/watch-authority.ts",
  "proofs/simulate/watch-calls.ts",
  "proofs/simulate/watch-claims.ts",
  "proofs/simulate/watch-log.ts",
  "proofs/simulate/watch-signals.ts",
  "proofs/simulate/watch-spending.ts",
  "proofs/simulate/watch-trigger.ts",
];
const COMPILE_MS = 300_000;

test("every fold compiles, and with one more type none does", { timeout: COMPILE_MS }, () => {
  expect(listUnanswered(folds, [])).toEqual([]);
  expect(listUnanswered(folds, added)).toEqual(folds);
});

test("a change that does not fit is none", () => {
  const [change] = added;
  const other = { ...change, file: `${events}/event-types.ts`, find: "no such", replace: "" };
  expect(() => listUnanswered([other.file], [other])).toThrow("must stand once");
});
