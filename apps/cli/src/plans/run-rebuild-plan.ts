import { rebuildGraph } from "@turnseal/host";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import { shortId } from "../terminal/short-id.ts";
import { type StoreOptions, withRun } from "../with-run.ts";

export interface RebuildPlanOptions extends StoreOptions {
  readonly json?: boolean;
}

/** `turnseal plan rebuild`: drops the rows of a run's graph, and makes them anew from its log. */
export function runRebuildPlan(
  name: string,
  options: RebuildPlanOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return withRun(name, { ...options, terminal }, async ({ known: { run }, folder }) => {
    const rebuilt = await rebuildGraph(folder.stores, run);
    if (rebuilt.kind === "not-kept")
      return reportUsage(terminal, "no graph is kept of the run", `turnseal show ${shortId(run)}`);
    if (rebuilt.kind === "moved")
      return reportUsage(
        terminal,
        "the run went on meanwhile, or is archived",
        `turnseal plan rebuild ${shortId(run)}`,
      );
    const { sequence, nodes, stateHash, isSame } = rebuilt;
    if (options.json) {
      terminal.out.writeText(`${renderJson({ run, sequence, nodes, stateHash, isSame }, 2)}\n`);
      return EXIT_CODES.done;
    }
    const said = isSame ? "it said the same before" : "it said something else before";
    const made = `the graph of ${run} is made anew from ${sequence} events`;
    terminal.out.writeLine(line(toned("good", "✓ "), `${made}: ${nodes} nodes; ${said}`));
    terminal.out.writeLine(line(`  state hash ${stateHash}`));
    return EXIT_CODES.done;
  });
}
