import { rebuildGraph } from "@turnseal/host";
import { line, shortId, toned, writeJson } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type StoreOptions, withRun } from "../with-run.ts";

export interface RebuildPlanOptions extends StoreOptions {
  readonly json?: boolean;
}

/** `turnseal plan rebuild`: drops the rows of a run's graph, and rebuilds them from its log. */
export function runRebuildPlan(
  name: string,
  options: RebuildPlanOptions,
  { terminal }: Surroundings,
): Promise<ExitCode> {
  return withRun(name, options, async ({ known: { run }, folder }) => {
    const rebuilt = await rebuildGraph(folder.stores, run);
    if (rebuilt.kind === "not-kept")
      throw new RefusalError("no graph is kept of the run", `turnseal show ${shortId(run)}`);
    if (rebuilt.kind === "moved")
      throw new RefusalError(
        "the run went on meanwhile, or is archived",
        `turnseal plan rebuild ${shortId(run)}`,
      );
    const { sequence, nodes, stateHash, isSame } = rebuilt;
    if (options.json) {
      writeJson(terminal.out, { run, sequence, nodes, stateHash, isSame }, 2);
      return EXIT_CODES.done;
    }
    const said = isSame ? "it was the same before" : "it was different before";
    const made = `the graph of ${run} is rebuilt from ${sequence} events`;
    terminal.out.writeLine(line(toned("good", "✓ "), `${made}: ${nodes} nodes; ${said}`));
    terminal.out.writeLine(line(`  state hash ${stateHash}`));
    return EXIT_CODES.done;
  });
}
