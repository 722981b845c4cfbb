/** The commands about loops and policies, without a run: what each takes. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { act, type CommandParts } from "../terminal/command-parts.ts";
import { STORE } from "../terminal/options.ts";
import { parseCount } from "../terminal/parse-count.ts";
import type { SubjectOptions } from "../with-subject.ts";
import { type CallOptions, runCall } from "./run-call.ts";
import { type CheckOptions, runCheck } from "./run-check.ts";
import { DRAWINGS, type DrawOptions, runDraw } from "./run-draw.ts";
import { isRunName, runDrawRun } from "./run-draw-run.ts";
import { type LoopsOptions, runLoops } from "./run-loops.ts";

/** Adds `check`, `call`, `loops`, `draw` and `policy`. */
export function addLoopCommands(program: Command, parts: CommandParts): void {
  addCheck(program, parts);
  addCall(program, parts);
  addLoops(program, parts);
  addDraw(program, parts);
  addPolicy(program, parts);
}

function addCheck(program: Command, { surroundings: { terminal }, report }: CommandParts): void {
  program
    .command("check")
    .description("check loops, and the references between them, for problems")
    .argument("<files...>", "loop documents (.json), modules that export loops, or folders")
    .option("--lenient", "warn about unknown fields instead of refusing them")
    .option("--bounds", "show the worst case of each top-level loop: time, requests, tokens, money")
    .option("--turns-max <n>", "with --bounds: turns per run (default: 8)", parseCount)
    .option("--prices <file>", "with --bounds: prices as JSON, overriding the built-in ones")
    .option("--json", "print one JSON report")
    .action(async (files: string[], options: CheckOptions) => {
      report(await runCheck(files, options, terminal));
    });
}

function addCall(program: Command, { surroundings, report }: CommandParts): void {
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
    .option("--ungoverned", "call it although a tool acts once: without grant, approval and record")
    .option("--trace", "print each event of the trace instead of the tree")
    .option("--json", "print one JSON result and nothing else")
    .action(async (loop: string, options: CallOptions, command: Command) => {
      if (options.input !== undefined && options.inputFile !== undefined) {
        command.error("error: --input and --input-file exclude each other");
      }
      report(await runCall(loop, options, surroundings));
    });
}

function addLoops(program: Command, { surroundings: { terminal }, report }: CommandParts): void {
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

function addDraw(program: Command, { surroundings: { terminal }, report }: CommandParts): void {
  program
    .command("draw")
    .description("draw a loop, or the plan of a run: a tree, a Mermaid flowchart or an SVG")
    .argument("<loop>", "a file, the id of a loop in --from, or a run: its id, or last")
    .addOption(
      new Option("--as <kind>", "the form of the drawing").choices(DRAWINGS).default("terminal"),
    )
    .option("--from <paths...>", "files or folders with the loops (default: ./loops, if it exists)")
    .option("--version <version>", "the version to draw (default: the highest release)")
    .option("--lenient", "accept unknown fields in documents")
    .option(...STORE)
    .action(async (name: string, options: DrawOptions & SubjectOptions) => {
      const isRun = isRunName(name);
      report(await (isRun ? runDrawRun : runDraw)(name, options, terminal));
    });
}

function addPolicy(program: Command, parts: CommandParts): void {
  const policy = program.command("policy").description("check a policy, or test it against cases");
  policy
    .command("check")
    .description("check a policy for problems, or list its rules")
    .argument("<file>", "a policy as .toml or .json")
    .option("--json", "print JSON")
    .action(act(parts, async () => (await import("./run-policy.ts")).runPolicyCheck));
  policy
    .command("test")
    .description("compare a policy's decisions with the expected ones")
    .argument("<policy>", "a policy as .toml or .json")
    .argument("<cases>", "cases as .toml or .json: tool, effect, args, and the decision expected")
    .option("--json", "print JSON")
    .action(act(parts, async () => (await import("./run-policy.ts")).runPolicyTest));
  for (const command of policy.commands) {
    command.showHelpAfterError(`  next: turnseal policy ${command.name()} --help`);
  }
}

/** The longest time a timer can hold. */
const TIMER_MS_MAX = 2 ** 31 - 1;

function parseTimeout(text: string): number {
  const ms = Number(text);
  if (Number.isSafeInteger(ms) && ms > 0 && ms <= TIMER_MS_MAX) return ms;
  throw new InvalidArgumentError(`Write milliseconds, from 1 to ${TIMER_MS_MAX}.`);
}
