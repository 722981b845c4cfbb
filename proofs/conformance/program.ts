/** This runtime as a program that the conformance suite can test. */
import { runShim } from "./run-shim.ts";

await runShim(process.stdin, process.stdout);
