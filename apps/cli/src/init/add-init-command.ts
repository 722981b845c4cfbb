/** The command that makes a project: what it takes. */

import { KEYS, PURPOSES } from "@turnseal/runtime/project";
import { type Command, Option } from "commander";
import type { CommandParts } from "../terminal/command-parts.ts";
import { EXAMPLE_NAMES } from "./example-names.ts";
import type { InitOptions } from "./run-init.ts";

/** Adds `init`. */
export function addInitCommand(
  program: Command,
  { surroundings, report }: CommandParts,
  version: string,
): void {
  program
    .command("init")
    .description("create a project: a loop, a tool, a grant, rules and a test; runs without a key")
    .argument("[folder]", "a folder that is new or empty (default: my-agent)")
    .addOption(
      new Option("--for <purpose>", "what the project is for (default: task)").choices(PURPOSES),
    )
    .addOption(
      new Option("--key <provider>", "who answers: none is a script (default: none)").choices(KEYS),
    )
    .addOption(new Option("--example <name>", "copy an example instead").choices(EXAMPLE_NAMES))
    .action(async (folder: string | undefined, options: InitOptions) => {
      const { runInit } = await import("./run-init.ts");
      report(await runInit(folder, options, { ...surroundings, version }));
    });
}
