import type { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { renderCaseResult, renderSummary } from "./render-result.ts";
import { runSuite } from "./run-suite.ts";
import { PROFILES, type Profile, readCases } from "./vectors/read-cases.ts";

const HELP = `Usage: turnseal-conformance [options] [profile] -- <command...>

Tests a runtime against the vectors of the specification. The command starts the runtime.

Profiles: lsem (calls), log (runs), governed (runs under rules), session (streams to clients),
context (requests to models), flow, graph (with plans). Without one: lsem.

Options:
  --only <case>   run this case, or a topic such as mapping/; may be given several times
  --verbose       also show the cases that pass
  --help          print this help

Exit codes: 0 all passed, 1 a case failed, 64 wrong usage.
`;

const OPTIONS = {
  only: { type: "string", multiple: true },
  verbose: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

export interface CommandPlace {
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** The runtime to test where the arguments name none. */
  readonly command?: readonly string[];
}

/** Runs the suite as the arguments say, and returns the exit code. */
export async function runCommand(args: readonly string[], place: CommandPlace): Promise<number> {
  const { stdout, stderr } = place;
  const asked = readArguments(args, place.command);
  if (asked.kind === "refused") {
    stderr.write(`error: ${asked.message}\n  next: turnseal-conformance --help\n`);
    return 64;
  }
  if (asked.kind === "help") {
    stdout.write(HELP);
    return 0;
  }
  const { verbose, ...options } = asked;
  const result = await runSuite(options, (item) => {
    if (verbose || item.problems.length > 0) stdout.write(`${renderCaseResult(item)}\n`);
  });
  stdout.write(`${renderSummary(result)}\n`);
  return result.failed === 0 ? 0 : 1;
}

type Asked =
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "help" }
  | {
      readonly kind: "run";
      readonly command: readonly string[];
      readonly profile: Profile;
      readonly only?: readonly string[];
      readonly verbose: boolean;
    };

function readArguments(args: readonly string[], preset: readonly string[] = []): Asked {
  const dashes = args.indexOf("--");
  const own = dashes === -1 ? args : args.slice(0, dashes);
  const named = dashes === -1 ? [] : args.slice(dashes + 1);
  const parsed = parseOptions(own);
  if (typeof parsed === "string") return { kind: "refused", message: parsed };
  const { only, verbose, help } = parsed.values;
  if (help) return { kind: "help" };
  const [name = "lsem", ...more] = parsed.positionals;
  const profile = PROFILES.find((known) => known === name);
  if (profile === undefined)
    return refuse(`there is no profile ${name}; known: ${PROFILES.join(", ")}`);
  if (more.length > 0) return refuse(`one profile at a time: ${more.join(", ")}`);
  const unknown = findUnknown(profile, only ?? []);
  if (unknown !== undefined) return refuse(`no case is called ${unknown}`);
  const command = named.length > 0 ? named : preset;
  if (command.length === 0) return refuse("name the command of the runtime to test, after --");
  return { kind: "run", command, profile, verbose, ...(only === undefined ? {} : { only }) };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function refuse(message: string): Asked {
  return { kind: "refused", message };
}

function findUnknown(profile: Profile, only: readonly string[]): string | undefined {
  const names = readCases(profile).map(({ name }) => name);
  return only.find(
    (part) => !names.some((name) => name === part || (part.endsWith("/") && name.startsWith(part))),
  );
}
