/**
 * The command line and its subjects. The arguments, work and output of each command are in the
 * folder of its name.
 */

import { readFileSync } from "node:fs";
import { sanitizeText } from "@turnseal/terminal";
import { Command, CommanderError } from "commander";
import { addDurableCommands } from "./durable/add-durable-commands.ts";
import { addHostPlace } from "./durable/host-place.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import { addInboxCommands } from "./inbox/add-inbox-commands.ts";
import { addInitCommand } from "./init/add-init-command.ts";
import { addLoopCommands } from "./loops/add-loop-commands.ts";
import { addMcpCommands } from "./mcp/add-mcp-commands.ts";
import { PACKAGE_ROOT } from "./package-root.ts";
import { addPlanCommands } from "./plans/add-plan-commands.ts";
import { addProofCommands } from "./proof/add-proof-commands.ts";
import { addRunCommands } from "./runs/add-run-commands.ts";
import { addServeCommand } from "./serve/add-serve-command.ts";
import type { CommandParts } from "./terminal/command-parts.ts";
import { groupCommands } from "./terminal/group-commands.ts";
import { reportRefused } from "./terminal/refusal.ts";
import type { Surroundings } from "./terminal/surroundings.ts";
import { addTestCommands } from "./tests/add-test-commands.ts";

/** Runs the command that the arguments name, and answers with the exit code. */
export async function runProgram(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  let exitCode: number = EXIT_CODES.done;
  const program = createProgram(surroundings, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    const refused = reportRefused(error, surroundings.terminal);
    if (refused !== undefined) return refused;
    if (!(error instanceof CommanderError)) throw error;
    // Commander ends help and version with zero; everything else it throws is a wrong command line.
    return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.usage;
  }
  return exitCode;
}

function createProgram(surroundings: Surroundings, report: CommandParts["report"]): Command {
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
    // The names of some options take half of a line of 80: what they mean is wrapped all the same.
    .configureHelp({ minWidthToWrap: 16 })
    .addHelpText("after", `\n${EXIT_HELP}`);
  const parts: CommandParts = { surroundings, report };
  addInitCommand(program, parts, readVersion());
  addLoopCommands(program, parts);
  addRunCommands(program, parts);
  addInboxCommands(program, parts);
  addPlanCommands(program, parts);
  addMcpCommands(program, parts);
  addProofCommands(program, parts);
  addTestCommands(program, parts);
  addDurableCommands(program, parts);
  addServeCommand(program, parts);
  addHostPlace(program.commands, surroundings.environment);
  groupCommands(program);
  for (const command of program.commands) {
    command.showHelpAfterError(`  next: turnseal ${command.name()} --help`);
  }
  return program.showHelpAfterError("  next: turnseal --help");
}

/** The suggestion is a line of its own; texts of people must not start one. */
function joinSuggestion(text: string): string {
  return text.replace(/\n(\(Did you mean [^\n]*\))$/, " $1");
}

const EXIT_HELP = `Exit codes: ${EXIT_CODES.done} done, ${EXIT_CODES.failed} failed or refused, \
${EXIT_CODES.waiting} waiting for someone, ${EXIT_CODES.unverified} not verified, \
${EXIT_CODES.usage} wrong usage.`;

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("package.json", PACKAGE_ROOT), "utf8"));
  return String(Reflect.get(Object(manifest), "version"));
}
