/** The command that makes a project: what it takes. */

import { PURPOSES } from "@turnseal/runtime/project";
import { type Command, Option } from "commander";
import type { CommandParts } from "../terminal/command-parts.ts";
import { listWorkflows, WORKFLOWS } from "../terminal/shipped-workflows.ts";
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
    .description("create a project that runs at once: an agent, a grant, rules and a test")
    .argument("[folder]", "a folder that is new or empty (default: my-agent)")
    .addOption(
      new Option("--for <purpose>", "the purpose of the project (default: chat)").choices(
        Object.keys(PURPOSES),
      ),
    )
    .addOption(new Option("--example <name>", "copy an example instead").choices(EXAMPLE_NAMES))
    .addOption(
      new Option(
        "--workflow <name>",
        "write only the document of a workflow, to change it; the folder may have other files",
      ).choices(Object.keys(WORKFLOWS)),
    )
    .addHelpText("after", () =>
      ["", "Purposes:", ...listPurposes(), "", "Workflows:", ...listWorkflows()].join("\n"),
    )
    .action(async (folder: string | undefined, options: InitOptions) => {
      const { runInit } = await import("./run-init.ts");
      report(await runInit(folder, options, { ...surroundings, version }));
    });
}

/** One line for each. */
function listPurposes(): string[] {
  return Object.entries(PURPOSES).map(([name, what]) => `  ${name.padEnd(10)}${what}`);
}
