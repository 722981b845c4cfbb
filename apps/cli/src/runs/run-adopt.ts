import { type AdoptionProblem, planAdoption, readRun, tellAdoption } from "@turnseal/host";
import { findPathFault, PATH_FAULTS } from "@turnseal/protocol/artifact";
import { bindRoots } from "@turnseal/runtime/project";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { countOf } from "../terminal/count-of.ts";
import { line, toned } from "../terminal/line.ts";
import { readIdentity } from "../terminal/read-identity.ts";
import { reportFailure } from "../terminal/report-failure.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import { shortId } from "../terminal/short-id.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type StoreOptions, withRun } from "../with-run.ts";
import { reportStopped } from "./report-stopped.ts";
import { reportLater, takeIn } from "./take-in.ts";

export interface AdoptOptions extends StoreOptions {
  readonly paths: readonly string[];
  readonly root?: string;
  readonly json?: boolean;
}

/** `turnseal adopt`: has a run manage files that are there. */
export function runAdopt(
  name: string,
  options: AdoptOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal, environment } = surroundings;
  const bound = bindRoots(environment);
  if (bound.kind === "unusable")
    return Promise.resolve(reportUsage(terminal, bound.message, bound.next));
  const { roots } = bound;
  const [only, ...others] = Object.keys(roots);
  const root = options.root ?? (others.length === 0 ? only : undefined);
  if (root === undefined) return Promise.resolve(reportRootMissing(Object.keys(roots), terminal));
  return withRun(name, { ...options, terminal }, async (named) => {
    const { known, folder } = named;
    const { stores } = folder;
    const projection = await readRun(stores, known.run);
    if (projection === undefined || projection.stopped !== null)
      return reportStopped(known.run, terminal);
    const plan = await planAdoption(projection, { root, paths: options.paths }, { stores, roots });
    if (plan.kind === "unknown") return reportUnknown(root, plan.why, terminal);
    if (plan.kind === "refused") return reportProblems(known.run, plan.problems, terminal);
    const by = readIdentity(environment);
    const told = await tellAdoption(known.run, { ...plan, by }, { stores, put: stores.inbox.put });
    if (told.kind === "refused")
      return reportFailure(terminal, `nothing was adopted: ${told.reason}`, showNext(known.run));
    const end = await takeIn(named, { key: told.key, at: plan.plan.at, roots });
    if (end.kind === "waiting") return reportLater(known.run, surroundings);
    if (end.kind === "refused")
      return reportFailure(terminal, `nothing was adopted: ${end.why}`, showNext(known.run));
    const files = end.event.type === "artifact.adopted" ? end.event.content.artifacts.changed : 0;
    return reportAdopted(known.run, files, { root, options, terminal });
  });
}

function showNext(run: string): string {
  return `turnseal drift ${shortId(run)} --new, and say it again`;
}

/** What is bound to a folder that is not there is not bound. */
function reportRootMissing(bound: readonly string[], terminal: Terminal): ExitCode {
  const why =
    bound.length === 0
      ? "no root is bound to a folder that is there"
      : `the roots ${bound.join(", ")} are bound, and none of them is named`;
  return reportUsage(terminal, `nothing was adopted: ${why}`, NEXT_ROOT);
}

function reportUnknown(root: string, why: keyof typeof reasons, terminal: Terminal): ExitCode {
  const next = why === "many" ? "turnseal adopt <run> <fewer paths>" : NEXT_ROOT;
  return reportUsage(terminal, `nothing was adopted: ${reasons[why]} (${root})`, next);
}

const NEXT_ROOT = "TURNSEAL_ROOTS=<name>=<folder> turnseal adopt <run> <paths> --root <name>";

const reasons = {
  unbound: "no folder is bound to the root here",
  absent: "the folder of the root is not there",
  erased: "the content of the run was erased",
  many: "these are more files, or more bytes, than are adopted at once",
} as const;

function reportProblems(
  run: string,
  problems: readonly AdoptionProblem[],
  { err }: Terminal,
): ExitCode {
  err.writeLine(line(toned("bad", "error: "), "nothing was adopted"));
  for (const { path, why } of problems)
    err.writeLine(line("  ", toned("bad", path), `  ${describeProblem(path, why)}`));
  const next = `turnseal drift ${shortId(run)} --new  (lists files that it does not manage)`;
  err.writeLine(line("  ", toned("faint", "next: "), next));
  return EXIT_CODES.failed;
}

function describeProblem(path: string, why: AdoptionProblem["why"]): string {
  switch (why) {
    case "path": {
      const fault = findPathFault(path);
      return fault === undefined ? "is no path" : PATH_FAULTS[fault];
    }
    case "absent":
      return "is not there";
    case "link":
      return "is a link, or has one on the way";
    case "no-file":
      return "is no file: name each file of a folder";
    case "too-large":
      return "is too large to be kept";
    case "unread":
      return "cannot be read here";
    case "managed":
      return "is managed already";
    case "twin":
      return "is the same as another where case does not count";
  }
}

interface AdoptedParts {
  readonly root: string;
  readonly options: AdoptOptions;
  readonly terminal: Terminal;
}

function reportAdopted(
  run: string,
  files: number,
  { root, options, terminal: { out } }: AdoptedParts,
): ExitCode {
  if (options.json) out.writeText(`${renderJson({ type: "adopted", run, root, files })}\n`);
  else
    out.writeLine(
      line(
        toned("good", "✓ "),
        `${shortId(run)} manages ${countOf(files, "more file")} in ${root}`,
      ),
    );
  return EXIT_CODES.done;
}
