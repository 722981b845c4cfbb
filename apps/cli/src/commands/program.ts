/**
 * The command line: which commands there are and what each takes. What they do is in the files
 * named after them.
 */
import { readFileSync } from "node:fs";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { addHostPlace } from "../durable/host-place.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { sanitizeText } from "../render/sanitize-text.ts";
import { addDurableCommands } from "./add-durable-commands.ts";
import { addRunCommands, parseCount } from "./add-run-commands.ts";
import { addServeCommand } from "./add-serve-command.ts";
import { addTestCommands } from "./add-test-commands.ts";
import { type CallOptions, runCall } from "./run-call.ts";
import { type CheckOptions, runCheck } from "./run-check.ts";
import { type LoopsOptions, runLoops } from "./run-loops.ts";
import type { Surroundings } from "./surroundings.ts";

/** Runs the command that the arguments name, and answers with the exit code. */
export async function runProgram(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { own, passed } = splitPassed(args);
  let exitCode: number = EXIT_CODES.done;
  const program = createProgram(surroundings, passed, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(own, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander ends help and version with zero; everything else it throws is a wrong command line.
    return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.usage;
  }
  return exitCode;
}

// What follows `--` is the command of someone else's runtime. Only `conformance` takes one;
// elsewhere `--` ends the options.
function splitPassed(args: readonly string[]): { own: string[]; passed: string[] } {
  const dashes = args.indexOf("--");
  if (args[0] !== "conformance" || dashes === -1) return { own: [...args], passed: [] };
  return { own: args.slice(0, dashes), passed: args.slice(dashes + 1) };
}

type Report = (exitCode: number) => void;

function createProgram(
  surroundings: Surroundings,
  passed: readonly string[],
  report: Report,
): Command {
  const { out, err } = surroundings.terminal;
  const program = new Command("turnseal")
    .description("Checks, calls and runs agent loops.")
    .version(readVersion(), "--version", "print the version")
    .helpOption("--help", "print this help")
    .helpCommand(false)
    // `--version` after `call` and `run` is the version of a loop.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: out.writeText,
      writeErr: err.writeText,
      outputError: (text, write) => write(`${sanitizeText(joinSuggestion(text.trim()))}\n`),
      getOutHelpWidth: () => out.columns,
      getErrHelpWidth: () => err.columns,
      getOutHasColors: () => out.isColoured,
      getErrHasColors: () => err.isColoured,
    })
    .addHelpText("after", `\n${EXIT_HELP}`);
  addCheck(program, surroundings, report);
  addCall(program, surroundings, report);
  addLoops(program, surroundings, report);
  addPolicy(program, surroundings, report);
  addRunCommands(program, { surroundings, report });
  addTestCommands(program, { surroundings, report });
  addDurableCommands(program, { surroundings, report });
  addServeCommand(program, { surroundings, report });
  addConformance(program, passed, { surroundings, report });
  addHostPlace(program.commands, surroundings.environment);
  for (const command of program.commands) {
    command.showHelpAfterError(`  next: turnseal ${command.name()} --help`);
  }
  return program.showHelpAfterError("  next: turnseal --help");
}

/** What it suggests stands on a line of its own; what people wrote must not make any. */
function joinSuggestion(text: string): string {
  return text.replace(/\n(\(Did you mean [^\n]*\))$/, " $1");
}

const EXIT_HELP = `Exit codes: ${EXIT_CODES.done} done, ${EXIT_CODES.failed} failed or refused, \
${EXIT_CODES.waiting} waiting for someone, ${EXIT_CODES.unverified} not verified, \
${EXIT_CODES.usage} wrong usage.`;

function addCheck(program: Command, { terminal }: Surroundings, report: Report): void {
  program
    .command("check")
    .description("check loops, and the references between them, for problems")
    .argument("<files...>", "loop documents (.json), modules that export loops, or folders")
    .option("--lenient", "warn about unknown fields instead of refusing them")
    .option("--bounds", "show the worst case of each top-level loop: time, requests, tokens")
    .option("--turns-max <n>", "with --bounds: turns per run (default: 8)", parseCount)
    .option("--json", "print one JSON report")
    .action(async (files: string[], options: CheckOptions) => {
      report(await runCheck(files, options, terminal));
    });
}

function addCall(program: Command, surroundings: Surroundings, report: Report): void {
  program
    .command("call")
    .description("call a loop directly, outside a run: no grant and no record")
    .argument("<loop>", "a file, or the id of a loop in --from")
    .option("--from <paths...>", "files or folders with the loops (default: ./loops, if it exists)")
    .option("--input <json>", "the input (default: {})")
    .option("--input-file <file>", "read the input from a file, or from standard input with -")
    .option("--version <version>", "the version to call (default: the highest release)")
    .option("--timeout <ms>", "cancel the call after this time", parseTimeout)
    .option("--lenient", "accept unknown fields in documents")
    .option("--trace", "print each event of the trace instead of the tree")
    .option("--json", "print one JSON result and nothing else")
    .action(async (loop: string, options: CallOptions, command: Command) => {
      if (options.input !== undefined && options.inputFile !== undefined) {
        command.error("error: --input and --input-file exclude each other");
      }
      report(await runCall(loop, options, surroundings));
    });
}

function addLoops(program: Command, { terminal }: Surroundings, report: Report): void {
  program
    .command("loops")
    .description("list the loops, or show one")
    .argument("[id]", "the loop to show")
    .option("--from <paths...>", "files or folders with the loops (default: ./loops)")
    .option("--lenient", "accept unknown fields in documents")
    .option("--json", "print JSON")
    .action(async (id: string | undefined, options: LoopsOptions) => {
      report(await runLoops(id, options, terminal));
    });
}

function addPolicy(program: Command, { terminal }: Surroundings, report: Report): void {
  const policy = program.command("policy").description("check a policy, or test it against cases");
  policy
    .command("check")
    .description("check a policy for problems, or list its rules")
    .argument("<file>", "a policy as .toml or .json")
    .option("--json", "print JSON")
    .action(async (file: string, options: object) => {
      const { runPolicyCheck } = await import("./run-policy.ts");
      report(await runPolicyCheck(file, options, terminal));
    });
  policy
    .command("test")
    .description("compare a policy's decisions with the expected ones")
    .argument("<policy>", "a policy as .toml or .json")
    .argument("<cases>", "cases as .toml or .json: tool, effect, args, and the decision expected")
    .option("--json", "print JSON")
    .action(async (file: string, cases: string, options: object) => {
      const { runPolicyTest } = await import("./run-policy.ts");
      report(await runPolicyTest(file, cases, { ...options, terminal }));
    });
  for (const command of policy.commands) {
    command.showHelpAfterError(`  next: turnseal policy ${command.name()} --help`);
  }
}

interface ConformanceFlags {
  readonly only?: readonly string[];
  readonly verbose?: boolean;
}

// Loaded on demand: neither the suite nor its vectors are needed to call a loop.
function addConformance(
  program: Command,
  command: readonly string[],
  { surroundings, report }: { surroundings: Surroundings; report: Report },
): void {
  const { stdout, stderr } = surroundings;
  program
    .command("conformance")
    .description(
      "test a runtime against the conformance vectors: this one, or the command after --",
    )
    .usage("[options] [profile] [-- command...]")
    .argument(
      "[profile]",
      "the suite to run: lsem for calls, log for runs, governed for runs under rules, session " +
        "for what clients are sent",
      "lsem",
    )
    .option("--only <cases...>", "run these cases, or a topic such as mapping/")
    .option("--verbose", "also show the cases that pass")
    .action(async (profile: string, options: ConformanceFlags) => {
      const { runConformance } = await import("../conformance/run-conformance.ts");
      report(await runConformance({ ...options, profile, command, stdout, stderr }));
    });
  program.command("conformance-shim", { hidden: true }).action(async () => {
    const { runShim } = await import("../conformance/run-shim.ts");
    await runShim(surroundings.stdin, stdout);
  });
}

/** The longest time a timer can hold. */
const TIMER_MS_MAX = 2 ** 31 - 1;

function parseTimeout(text: string): number {
  const ms = Number(text);
  if (Number.isSafeInteger(ms) && ms > 0 && ms <= TIMER_MS_MAX) return ms;
  throw new InvalidArgumentError(`Write milliseconds, from 1 to ${TIMER_MS_MAX}.`);
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  return String(Reflect.get(Object(manifest), "version"));
}
