import type { Command } from "commander";
import type { CommandParts } from "../terminal/command-parts.ts";
import { parseCount } from "../terminal/parse-count.ts";
import { parseDays } from "../terminal/parse-days.ts";
import type { ArchiveOptions } from "./run-archive.ts";

const OLDER_THAN_DEFAULT = "90d";
const AT_ONCE_DEFAULT = 4;

export function addArchiveCommand(program: Command, parts: CommandParts): void {
  const { surroundings, report } = parts;
  program
    .command("archive")
    .description("move old ended runs to files, and drop their periods from the database")
    .option("--to <folder>", "the folder for one verified bundle of each run")
    .option(
      "--older-than <days>",
      "how long a run stays after its end, unless its tenant has --keep-days",
      parseDays,
      parseDays(OLDER_THAN_DEFAULT),
    )
    .option("--tenant <name>", "only runs of this tenant; nothing is dropped")
    .option("--without-content", "leave out prompts, inputs and outputs, and their key")
    .option("--at-once <n>", "runs archived at the same time", parseCount, AT_ONCE_DEFAULT)
    .option("--keys <file>", "the public keys to verify with (default: the store's)")
    .option("--json", "print JSON")
    .option(
      "--postgres <url>",
      "the database of the runs, such as postgres://user@host/database (TURNSEAL_POSTGRES_URL)",
    )
    .option("--store <folder>", "the folder that has the keys (default: .turnseal)")
    .action(async ({ tenant, ...options }: ArchiveOptions, own: Command) => {
      const { runArchive } = await import("./run-archive.ts");
      // The environment's tenant is for reading runs. It counts here only if the command line names
      // it.
      const isSaid = tenant !== undefined && own.getOptionValueSource("tenant") !== "env";
      const asked = { ...options, ...(isSaid ? { tenant } : {}) };
      report(await runArchive(asked, surroundings.terminal));
    });
}
