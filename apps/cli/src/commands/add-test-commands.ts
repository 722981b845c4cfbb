/** The commands about runs as tests: what each takes. */
import { type Command, InvalidArgumentError } from "commander";
import { parseCount } from "./add-run-commands.ts";
import type { CommandParts } from "./command-parts.ts";

const RUN_HELP = "the id of a run, the beginning of one, or last";
const STORE_FLAG = "--store <folder>";
const STORE_HELP = "where runs are kept (default: .turnseal)";
const FROM_FLAG = "--from <paths...>";
const FROM_HELP = "where its loops are now (default: where they were)";

/** Adds `test`, `fixture` and `fork`. */
export function addTestCommands(program: Command, parts: CommandParts): void {
  addTest(program, parts);
  addFixture(program, parts);
  addFork(program, parts);
}

function addTest(program: Command, { surroundings, report }: CommandParts): void {
  program
    .command("test")
    .description("run harness files offline, and compare with what they expect")
    .argument("<paths...>", "harness files (*.harness.json, *.harness.toml), or folders of them")
    .option("--receipts <folder>", "write receipts and bundles there, to be verified")
    .option("--json", "print one JSON report")
    .action(async (paths: string[], options: object) => {
      const { runTest } = await import("./run-test.ts");
      report(await runTest(paths, options, surroundings.terminal));
    });
}

function addFixture(program: Command, { surroundings, report }: CommandParts): void {
  program
    .command("fixture")
    .description("write a run as a harness file that passes offline, without names of people")
    .argument("<run>", RUN_HELP)
    .option("--out <file>", "the file (default: run-<id>.harness.json)")
    .option(
      "--redact <pointer>",
      "replace the texts there, wherever they stand: /input/email (repeatable)",
      collectPointers,
    )
    .option(FROM_FLAG, FROM_HELP)
    .option(STORE_FLAG, STORE_HELP)
    .action(async (run: string, options: object) => {
      const { runFixture } = await import("./run-fixture.ts");
      report(await runFixture(run, options, surroundings));
    });
}

function addFork(program: Command, { surroundings, report }: CommandParts): void {
  program
    .command("fork")
    .description("start a run anew from the input that one of its turns had")
    .argument("<run>", RUN_HELP)
    .requiredOption("--from-turn <n>", "the turn whose input is taken", parseCount)
    .requiredOption("--grant <file>", "what the new run may do: it inherits no grant")
    .option("--turns-max <n>", "turns that it may take (default: as before)", parseCount)
    .option("--version <version>", "the version of the loop (default: as before)")
    .option(FROM_FLAG, FROM_HELP)
    .option("--content", "show the output, too")
    .option("--json", "print one JSON object per line")
    .option(STORE_FLAG, STORE_HELP)
    .action(async (run: string, options: ForkFlags) => {
      const { runFork } = await import("./run-fork.ts");
      report(await runFork(run, options, surroundings));
    });
}

interface ForkFlags {
  readonly fromTurn: number;
  readonly grant: string;
}

function collectPointers(pointer: string, earlier: readonly string[] = []): readonly string[] {
  if (!pointer.startsWith("/"))
    throw new InvalidArgumentError("Write a JSON Pointer into the file, such as /input/email.");
  return [...earlier, pointer];
}
