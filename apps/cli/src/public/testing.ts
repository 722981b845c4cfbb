export { manualClock, seededIds } from "@turnseal/ports";
export { type TestedRun, type TestOptions, testRun } from "@turnseal/testing";
