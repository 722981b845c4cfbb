/** Shows a person what a reconciliation would do, and has the run do it once they say yes. */
import { createInterface } from "node:readline/promises";
import {
  planReconciliation,
  type ReconcilePlan,
  type ReconcileSide,
  readRun,
  tellReconciliation,
} from "@turnseal/host";
import type { Roots } from "@turnseal/ports";
import type { ReconcileWay } from "@turnseal/protocol/artifact";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { readIdentity } from "../terminal/read-identity.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import { shortId } from "../terminal/short-id.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import type { NamedRun } from "../with-run.ts";
import { renderProblems, renderReconciliation } from "./render-reconciliation.ts";
import { reportLater, takeIn } from "./take-in.ts";

export interface ReconcileOptions {
  readonly way: ReconcileWay;
  readonly roots: Roots;
  /** Of one root alone. */
  readonly root?: string | undefined;
  /** For `manual`. */
  readonly sides?: ReadonlyMap<string, ReconcileSide>;
  /** The person has said yes already. */
  readonly isConfirmed: boolean;
  readonly json?: boolean | undefined;
}

/** `done` where every root agrees with the run now; otherwise how the command ends. */
export async function reconcileFiles(
  named: NamedRun,
  options: ReconcileOptions,
  surroundings: Surroundings,
): Promise<"done" | ExitCode> {
  const { run } = named.known;
  const { terminal } = surroundings;
  const projection = await readRun(named.folder.stores, run);
  if (projection === undefined || projection.stopped !== null)
    return reportUsage(
      terminal,
      "the run has stopped, and manages its files no longer",
      `turnseal drift ${shortId(run)}`,
    );
  const managed = Object.keys(projection.artifacts ?? {}).sort();
  const roots = options.root === undefined ? managed : [options.root];
  const stray = roots.find((root) => !managed.includes(root));
  if (stray !== undefined)
    return reportUsage(terminal, `the run manages no files under ${stray}`, "turnseal drift <run>");
  if (options.way === "manual" && roots.length > 1)
    return reportUsage(terminal, `name one of the roots ${roots.join(", ")}`, "--root <name>");
  for (const root of roots) {
    const end = await reconcileRoot(root, named, { options, surroundings });
    if (end !== "done") return end;
  }
  return "done";
}

interface RootParts {
  readonly options: ReconcileOptions;
  readonly surroundings: Surroundings;
}

/** One plan after the other: each has a limit. */
async function reconcileRoot(
  root: string,
  named: NamedRun,
  parts: RootParts,
): Promise<"done" | ExitCode> {
  const { options, surroundings } = parts;
  const { folder, known } = named;
  for (;;) {
    const projection = await readRun(folder.stores, known.run);
    if (projection === undefined) return EXIT_CODES.failed;
    const { way, sides, roots } = options;
    const request = { root, way, ...(sides === undefined ? {} : { sides }) };
    const plan = await planReconciliation(projection, request, { stores: folder.stores, roots });
    if (plan.kind === "agreed") return "done";
    if (plan.kind !== "planned") return reportNoPlan(root, plan, parts);
    show(known.run, plan, parts);
    const end = await confirm(parts, known.run);
    if (end !== undefined) return end;
    const by = readIdentity(surroundings.environment);
    const told = await tellReconciliation(
      known.run,
      { ...plan, by },
      { stores: folder.stores, put: folder.stores.inbox.put },
    );
    if (told.kind === "refused")
      return reportUsage(surroundings.terminal, `not accepted: ${told.reason}`, "turnseal show");
    if (!(await takeIn(named, roots))) return reportLater(known.run, surroundings);
    const sequence = (await readRun(folder.stores, known.run))?.sequence ?? 0;
    const [last] = await folder.stores.log.read(known.run, sequence, 1);
    if (last?.type !== "drift.reconciled") {
      const why =
        last?.type === "signal.received" && last.content.kind === "refused"
          ? last.content.why
          : "another process has taken the run over";
      return reportUsage(surroundings.terminal, `nothing was changed: ${why}`, AGAIN);
    }
    if (last.content.left !== undefined)
      return reportUsage(
        surroundings.terminal,
        `${last.content.left} of the files have changed again`,
        AGAIN,
      );
    if (plan.more === 0) return "done";
  }
}

const AGAIN = "turnseal drift <run>, and say it again";

function show(
  run: string,
  plan: Extract<ReconcilePlan, { readonly kind: "planned" }>,
  { options, surroundings }: RootParts,
): void {
  const { out } = surroundings.terminal;
  if (options.json !== true) {
    renderReconciliation(plan).forEach(out.writeLine);
    return;
  }
  const files = plan.shown.map(({ drift: { kind, path }, becomes }) => ({ kind, path, becomes }));
  const { root, way } = plan.plan;
  out.writeText(`${renderJson({ type: "reconcile", run, root, way, files, more: plan.more })}\n`);
}

function reportNoPlan(
  root: string,
  plan: Exclude<ReconcilePlan, { readonly kind: "planned" | "agreed" }>,
  { options, surroundings: { terminal } }: RootParts,
): ExitCode {
  if (plan.kind === "unknown")
    return reportUsage(terminal, `the files under ${root} cannot be looked at: ${plan.why}`, AGAIN);
  terminal.err.writeLine(
    line(toned("bad", "error: "), `${options.way} cannot be done, so nothing was changed`),
  );
  renderProblems(plan.problems).forEach(terminal.err.writeLine);
  const next = "turnseal drift <run> --reconcile manual --keep <paths> --restore <paths>";
  terminal.err.writeLine(line("  ", toned("faint", "next: "), next));
  return EXIT_CODES.failed;
}

/** Undefined where the person says yes; elsewhere nobody can be asked, and has to say so before. */
async function confirm(
  { options, surroundings }: RootParts,
  run: string,
): Promise<ExitCode | undefined> {
  if (options.isConfirmed) return undefined;
  const { stdin, stderr, terminal } = surroundings;
  const next = `turnseal drift ${shortId(run)} --reconcile ${options.way} --yes`;
  if ((stdin as { readonly isTTY?: boolean }).isTTY !== true)
    return reportUsage(terminal, "nothing was changed: it needs a yes", next);
  const prompt = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await prompt.question("do this? [y/N] ");
    if (/^y(es)?$/i.test(answer.trim())) return undefined;
    terminal.err.writeLine(line("nothing was changed"));
    return EXIT_CODES.failed;
  } finally {
    prompt.close();
  }
}
