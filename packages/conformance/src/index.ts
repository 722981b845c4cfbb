export { runSuite } from "./run-suite.ts";
export { PROFILES, type Profile, readCases } from "./vectors/read-cases.ts";
