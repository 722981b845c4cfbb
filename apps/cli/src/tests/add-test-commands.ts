/** The commands about runs as tests: what each takes. */
import { type Command, InvalidArgumentError } from "commander";
import { act, type CommandParts } from "../terminal/command-parts.ts";
import { FROM, RUN_HELP, STORE } from "../terminal/options.ts";
import { parseCount } from "../terminal/parse-count.ts";

/** Adds `test`, `fixture` and `fork`. */
export function addTestCommands(program: Command, parts: CommandParts): void {
  addTest(program, parts);
  addFixture(program, parts);
  addFork(program, parts);
}

function addTest(program: Command, parts: CommandParts): void {
  program
    .command("test")
    .description("run harness files offline, and compare with the expected results")
    .argument("<paths...>", "harness files (*.harness.json, *.harness.toml), or folders of them")
    .option("--receipts <folder>", "write receipts and bundles to this folder, to verify them")
    .option("--update", "write the result of each case into its file, as the expected one")
    .option("--junit <file>", "write the results as JUnit XML")
    .option("--json", "print one JSON report")
    .action(act(parts, async () => (await import("./run-test.ts")).runTest));
}

function addFixture(program: Command, parts: CommandParts): void {
  program
    .command("fixture")
    .description("turn a run into an offline test (a harness file), without people's names")
    .argument("<run>", RUN_HELP)
    .option("--out <file>", "the file (default: run-<id>.harness.json)")
    .option(
      "--redact <pointer>",
      "replace the text at this JSON Pointer everywhere: /input/email (repeatable)",
      collectPointers,
    )
    .option(...FROM)
    .option(...STORE)
    .action(act(parts, async () => (await import("./run-fixture.ts")).runFixture));
}

function addFork(program: Command, parts: CommandParts): void {
  program
    .command("fork")
    .description("start a new run from one of its turns, with its input and the messages before it")
    .argument("<run>", RUN_HELP)
    .requiredOption("--from-turn <n>", "the turn whose input to use", parseCount)
    .requiredOption("--grant <file>", "the grant of the new run: none is inherited")
    .option("--input <json>", "another input; the turn may then be the one after the last")
    .option("--turns-max <n>", "the most turns that it may take (default: as before)", parseCount)
    .option("--version <version>", "the version of the loop (default: as before)")
    .option(...FROM)
    .option("--content", "also show the output")
    .option("--json", "print one JSON object per line")
    .option(...STORE)
    .action(act(parts, async () => (await import("./run-fork.ts")).runFork));
}

function collectPointers(pointer: string, earlier: readonly string[] = []): readonly string[] {
  if (!pointer.startsWith("/"))
    throw new InvalidArgumentError("Write a JSON Pointer into the file, such as /input/email.");
  return [...earlier, pointer];
}
