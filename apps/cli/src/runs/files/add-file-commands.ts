/** Adds `drift` and `adopt`: what is about the files that a run manages. */
import { RECONCILE_WAYS } from "@turnseal/protocol/artifact";
import { type Command, Option } from "commander";
import { act, type CommandParts } from "../../terminal/command-parts.ts";
import { RUN_HELP, STORE } from "../../terminal/options.ts";

export function addFileCommands(program: Command, parts: CommandParts): void {
  addDrift(program, parts);
  addAdopt(program, parts);
}

const RECONCILE_HELP =
  "show the difference, ask, and make files and record agree: restore files (graph-wins), " +
  "record them as they are (files-win), file by file (manual), or merge both (merge)";

function addDrift(program: Command, parts: CommandParts): void {
  program
    .command("drift")
    .description("show managed files that differ from the record of a run (shows paths)")
    .argument("<run>", RUN_HELP)
    .option("--new", "also files that it does not manage, and new names of renamed files")
    .option("--watch", "go on as files change, until Ctrl-C")
    .addOption(new Option("--reconcile <way>", RECONCILE_HELP).choices(RECONCILE_WAYS))
    .option("--root <name>", "reconcile the files of this root alone")
    .option("--keep <paths...>", "with manual: files to record as they are")
    .option("--restore <paths...>", "with manual: files to restore")
    .option("--yes", "reconcile without asking (shows content)")
    .option("--whole", "with --reconcile: show every line that differs (shows content)")
    .option("--from <paths...>", "its present loops, for things that only its tools can inspect")
    .option("--json", "print JSON; with --watch, one object per line")
    .option(...STORE)
    .action(act(parts, async () => (await import("./run-drift.ts")).runDrift));
}

function addAdopt(program: Command, parts: CommandParts): void {
  program
    .command("adopt")
    .description("have a run manage existing files: from then on, drift checks them")
    .argument("<run>", RUN_HELP)
    .argument("<paths...>", "paths of files in the folder of the root")
    .option("--root <name>", "the root that they are in (default: the bound root)")
    .option("--json", "print JSON")
    .option(...STORE)
    .action(act(parts, async () => (await import("./run-adopt.ts")).runAdopt));
}
