/** Runs a conformance suite against the runtime with one fault in it. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PROFILES, type Profile, runSuite } from "@turnseal/conformance";
import type { Mutant } from "./mutant.ts";
import { mutants } from "./mutants.ts";

const ANSWER_MS = 120_000;
const loader = new URL("load-mutant.ts", import.meta.url);
const program = fileURLToPath(new URL("../conformance/program.ts", import.meta.url));

/** A mutant, and the suite that notices it. */
export interface SuiteMutant extends Mutant {
  readonly profile: Profile;
}

/** The mutants of all suites. */
export const suiteMutants: readonly SuiteMutant[] = PROFILES.flatMap((profile) =>
  mutants[profile].map((each) => ({ ...each, profile })),
);

/** Returns the names of the cases that fail, in order. */
export async function findFailures({ profile, name: mutant }: SuiteMutant): Promise<string[]> {
  // Cases about crashes write files that nobody needs afterwards: where memory can hold them, no
  // disk is waited for.
  if (existsSync("/dev/shm")) process.env["TMPDIR"] = "/dev/shm";
  const hooks = ["--import", `${loader.href}?mutant=${mutant}`];
  const command = [process.execPath, ...hooks, "--conditions=turnseal-source", program];
  // Many start at once, each of them from source.
  const patience = { startMs: ANSWER_MS, answerMs: ANSWER_MS };
  const { results } = await runSuite({ command, profile, patience });
  const failed = results.filter(({ problems }) => problems.length > 0);
  return failed.map(({ name }) => name).sort();
}
