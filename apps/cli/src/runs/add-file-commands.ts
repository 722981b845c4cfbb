/** Adds `drift` and `adopt`: what is about the files that a run manages. */
import { RECONCILE_WAYS } from "@turnseal/protocol/artifact";
import { type Command, Option } from "commander";
import type { CommandParts } from "../terminal/command-parts.ts";
import { RUN_HELP, STORE } from "../terminal/options.ts";

export function addFileCommands(program: Command, parts: CommandParts): void {
  addDrift(program, parts);
  addAdopt(program, parts);
}

const RECONCILE_HELP =
  "show the difference, ask, and make files and record agree: put files back (graph-wins), " +
  "record them as they are (files-win), file by file (manual), or merge both (merge)";

function addDrift(program: Command, { surroundings, report }: CommandParts): void {
  program
    .command("drift")
    .description("show which files that a run manages are not what it recorded (shows paths)")
    .argument("<run>", RUN_HELP)
    .option("--new", "also files that it does not manage, and what one was renamed to")
    .option("--watch", "go on as files change, until Ctrl-C")
    .addOption(new Option("--reconcile <way>", RECONCILE_HELP).choices(RECONCILE_WAYS))
    .option("--root <name>", "reconcile the files of this root alone")
    .option("--keep <paths...>", "with manual: files that count as they are now")
    .option("--restore <paths...>", "with manual: files that are put back")
    .option("--yes", "reconcile without asking (shows content)")
    .option("--whole", "with --reconcile: show every line that differs (shows content)")
    .option("--from <paths...>", "where its loops are now, for what its tools inspect")
    .option("--json", "print JSON; with --watch, one object per line")
    .option(...STORE)
    .action(async (run: string, options: object) => {
      const { runDrift } = await import("./run-drift.ts");
      report(await runDrift(run, options, surroundings));
    });
}

function addAdopt(program: Command, { surroundings, report }: CommandParts): void {
  program
    .command("adopt")
    .description("have a run manage files that are there: from then on drift tells of them")
    .argument("<run>", RUN_HELP)
    .argument("<paths...>", "paths of files in the folder of the root")
    .option("--root <name>", "the root that they are in (default: the one that is bound)")
    .option("--json", "print JSON")
    .option(...STORE)
    .action(async (run: string, paths: readonly string[], options: object) => {
      const { runAdopt } = await import("./run-adopt.ts");
      report(await runAdopt(run, { ...options, paths }, surroundings));
    });
}
