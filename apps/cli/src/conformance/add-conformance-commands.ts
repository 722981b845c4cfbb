import type { Command } from "commander";
import type { CommandParts } from "../terminal/command-parts.ts";

interface ConformanceFlags {
  readonly only?: readonly string[];
  readonly verbose?: boolean;
}

/**
 * Adds `conformance`, and what it tests when nothing else is named. Loaded on demand: neither the
 * suite nor its vectors are needed to call a loop.
 */
export function addConformanceCommands(
  program: Command,
  command: readonly string[],
  { surroundings, report }: CommandParts,
): void {
  const { stdout, stderr } = surroundings;
  program
    .command("conformance")
    .description(
      "test a runtime against the conformance vectors: this one, or the command after --",
    )
    .usage("[options] [profile] [-- command...]")
    .argument(
      "[profile]",
      "the suite to run: lsem for calls, log for runs, governed for runs under rules, session " +
        "for what clients are sent, context for what models are sent, flow for flows, graph for " +
        "plans and the graph",
      "lsem",
    )
    .option("--only <cases...>", "run these cases, or a topic such as mapping/")
    .option("--verbose", "also show the cases that pass")
    .action(async (profile: string, options: ConformanceFlags) => {
      const { runConformance } = await import("./run-conformance.ts");
      report(await runConformance({ ...options, profile, command, stdout, stderr }));
    });
  program.command("conformance-shim", { hidden: true }).action(async () => {
    const { runShim } = await import("@turnseal/testing/conformance");
    await runShim(surroundings.stdin, stdout);
  });
}
