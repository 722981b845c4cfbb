import { type ResumeCheck, type RunProjection, summarizeRun } from "@turnseal/host";
import { findObstacle, readStanding } from "@turnseal/runtime/folder";
import { openHost } from "@turnseal/runtime/runs";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { findRunTarget } from "../loops/find-run-target.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type NamedRun, type StoreOptions, withRun } from "../with-run.ts";
import { type Explanation, renderExplanation, toJsonExplanation } from "./render-explanation.ts";

export interface ExplainOptions extends StoreOptions {
  readonly from?: readonly string[];
  readonly json?: boolean;
}

/**
 * `turnseal explain`: what ran, why it stopped, who allowed it, and whether it is safe to resume.
 */
export function runExplain(
  name: string,
  options: ExplainOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  return withRun(name, { ...options, terminal }, async (named) => {
    const { known, folder } = named;
    const { projection } = known;
    const obstacle = await findObstacle(folder, known);
    const explanation: Explanation = {
      ...known,
      ...(obstacle === undefined ? {} : { obstacle }),
      state: await readStanding(folder, known),
      summary: await summarizeRun(folder.stores.log, known.run),
      check: isOpen(projection) ? await checkRun(named, options, surroundings) : null,
    };
    const { out } = terminal;
    if (options.json) out.writeText(`${renderJson(toJsonExplanation(explanation), 2)}\n`);
    else renderExplanation(explanation).forEach(out.writeLine);
    return EXIT_CODES.done;
  });
}

function isOpen(projection: RunProjection | undefined): boolean {
  return projection !== undefined && projection.stopped === null;
}

/** Compares the run with its loops as they are now, or says why that cannot be done. */
async function checkRun(
  { known, folder }: NamedRun,
  { from }: ExplainOptions,
  surroundings: Surroundings,
): Promise<ResumeCheck | { readonly problem: string } | null> {
  const target = await findRunTarget(known, folder, from);
  if (target.kind === "unusable") return { problem: target.message };
  if (target.kind === "refused") return { problem: "its loops have problems: turnseal check" };
  const opened = await openHost(target, folder, surroundings);
  if (opened.kind === "refused")
    return { problem: opened.problems.map(({ message }) => message).join("; ") };
  return (await opened.host.checkResume(known.run)) ?? null;
}
