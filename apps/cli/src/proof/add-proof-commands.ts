/** The commands about what a run has proved, and may forget: what each takes. */
import type { Command } from "commander";
import { act, type CommandParts } from "../terminal/command-parts.ts";
import { FROM, PRICES, RUN_HELP, STORE } from "../terminal/options.ts";

/** Adds `verify`, `replay`, `export`, `import`, `erase` and `keys`. */
export function addProofCommands(program: Command, parts: CommandParts): void {
  addProofs(program, parts);
  addFiles(program, parts);
  addKeys(program, parts);
}

function addProofs(program: Command, parts: CommandParts): void {
  program
    .command("verify")
    .description("check signatures, chain, receipts and budget arithmetic")
    .argument(
      "[subject]",
      "a run, a file (export or receipt), an evidence pack, or - for stdin (default: every run)",
    )
    .option("--production", "refuse development keys and open turns")
    .option("--allow-open", "accept an open turn: exit with 0 if everything sealed is valid")
    .option(
      "--keys <file>",
      "trust these keys and no others (default: the store's, and trusted ones of its database)",
    )
    .option("--all-tenants", "with --host: every run of every tenant, by the login of an operator")
    .option("--after <run>", "for every run: continue after this one, by its whole id")
    .option("--json", "print the verdict as JSON")
    .option(...STORE)
    .action(act(parts, async () => (await import("../proof/run-verify.ts")).runVerify));
  program
    .command("replay")
    .description("rerun every turn from its record and compare; no tool or model is called")
    .argument("<run>", RUN_HELP)
    .option("--diff", "show every turn, and its first difference")
    .option(...FROM)
    .option(...PRICES)
    .option("--json", "print JSON")
    .option(...STORE)
    .action(act(parts, async () => (await import("../proof/run-replay.ts")).runReplay));
}

/** Commands that write files, and commands that remove content for good. */
function addFiles(program: Command, parts: CommandParts): void {
  program
    .command("export")
    .description("write a run to one file that can be verified with the public key alone")
    .argument("<run>", RUN_HELP)
    .option("--as <form>", "another form of it: lsem, session, mplp, prov or evidence (a folder)")
    .option("--out <file>", "the file, or - for standard output (default: run-<id>.json)")
    .option("--without-content", "leave out prompts, inputs and outputs, and their key")
    .option(...STORE)
    .action(act(parts, async () => (await import("../proof/run-export.ts")).runExport));
  program
    .command("import")
    .description("check an evidence pack, and write its run to one file again")
    .argument("<pack>", "the folder that `export --as evidence` made")
    .option("--out <file>", "the file (default: run-<id>.json)")
    .option("--allow-open", "accept an open turn")
    .option("--keys <file>", "trust these keys and no others (default: the store's)")
    .option(...STORE)
    .action(act(parts, async () => (await import("../proof/run-import.ts")).runImport));
  program
    .command("erase")
    .description("remove the content of a run for good; its log and receipts stay")
    .argument("<run>", RUN_HELP)
    .option(
      "--with-copies",
      "also erase runs that hold copies: forks, handoffs, results, cache hits",
    )
    .option("--yes", "do not ask for confirmation")
    .option(...STORE)
    .action(act(parts, async () => (await import("../proof/run-erase.ts")).runErase));
}

function addKeys(program: Command, { surroundings, report }: CommandParts): void {
  program
    .command("keys")
    .description("the keys that sign receipts: list, rotate, export, trust, distrust")
    .argument("[action]", "list, rotate, export, trust or distrust", "list")
    .argument("[key]", "trust, distrust: the id of a key that a worker has noted in the database")
    .option("--issuer <name>", "trust: the issuer, if the noted one is wrong")
    .option("--valid-from <time>", "trust: from when on, such as 2030-01-31T12:00:00.000Z")
    .option("--valid-until <time>", "trust: until when, or none")
    .option("--json", "print JSON")
    .option(...STORE)
    .action(async (action: string, key: string | undefined, options: object, own: Command) => {
      const { runKeys } = await import("../proof/run-keys.ts");
      // The environment's tenant is for reading runs. It counts here only if the command line names
      // it.
      const isSaid = own.getOptionValueSource("tenant") === "cli";
      const named: string | undefined = isSaid ? own.getOptionValue("tenant") : undefined;
      report(await runKeys([action, key], { ...options, named }, surroundings));
    });
}
