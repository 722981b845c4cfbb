export { manualClock, memoryStores, scriptedModel, seededIds } from "@turnseal/ports";
export { openDemoSigner } from "./harness/demo-signer.ts";
export type { Difference } from "./harness/difference.ts";
export type {
  Expectation,
  Harness,
  Reply,
  RequestExpectation,
  RunExpectation,
  SignalWord,
  ToolReply,
  ToolScript,
  TurnExpectation,
  Word,
} from "./harness/harness.ts";
export { listHarnessFiles } from "./harness/list-harness-files.ts";
export { type FixtureSource, makeFixture } from "./harness/make-fixture.ts";
export { type HarnessCase, type ReadHarness, readHarness } from "./harness/read-harness.ts";
export { FixtureError } from "./harness/read-tree.ts";
export { redactFixture } from "./harness/redact-fixture.ts";
export { renderJunit } from "./harness/render-junit.ts";
export { type CaseResult, runCase } from "./harness/run-case.ts";
export { updateCase } from "./harness/update-case.ts";
export { writeReceipts } from "./harness/write-receipts.ts";
export { type TestedRun, type TestOptions, testRun } from "./test-run.ts";
