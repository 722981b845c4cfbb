import type { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import {
  PROFILES,
  type Profile,
  readCases,
  renderCaseResult,
  renderSummary,
  runSuite,
} from "@turnseal/conformance";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";

export interface ConformanceOptions {
  readonly profile?: string;
  /** The program to test and its arguments. Without it: this very runtime. */
  readonly command?: readonly string[];
  /** Names of cases, or topics such as `mapping/`. */
  readonly only?: readonly string[];
  /** Shows passed cases too. */
  readonly verbose?: boolean;
  readonly stdout?: Writable;
  readonly stderr?: Writable;
}

/** Runs the conformance suite; the answer is the exit code. */
export async function runConformance(options: ConformanceOptions): Promise<ExitCode> {
  const { only, stdout = process.stdout, stderr = process.stderr, verbose = false } = options;
  const profile = PROFILES.find((name) => name === (options.profile ?? "lsem"));
  const fault =
    profile === undefined ? unknownProfile(options.profile) : findNothing(profile, only);
  if (profile === undefined || fault !== undefined) {
    stderr.write(`${fault}\n`);
    return EXIT_CODES.usage;
  }
  const command = options.command?.length ? options.command : shimCommand();
  const result = await runSuite(
    { command, profile, ...(only === undefined ? {} : { only }) },
    (item) => {
      if (verbose || item.problems.length > 0) stdout.write(`${renderCaseResult(item)}\n`);
    },
  );
  stdout.write(`${renderSummary(result)}\n`);
  return result.failed === 0 ? EXIT_CODES.done : EXIT_CODES.failed;
}

/**
 * How this runtime is started for the suite: the command itself, with a word that its help does not
 * list.
 */
export function shimCommand(): string[] {
  const bin = fileURLToPath(new URL("../../bin/turnseal.js", import.meta.url));
  return [process.execPath, bin, "conformance-shim"];
}

function unknownProfile(profile: string | undefined): string {
  return `there is no profile ${profile}; known: ${PROFILES.join(", ")}`;
}

function findNothing(profile: Profile, only: readonly string[] | undefined): string | undefined {
  if (only === undefined) return undefined;
  const names = readCases(profile).map(({ name }) => name);
  const unknown = only.find(
    (part) => !names.some((name) => name === part || (part.endsWith("/") && name.startsWith(part))),
  );
  return unknown === undefined ? undefined : `no case is called ${unknown}`;
}
