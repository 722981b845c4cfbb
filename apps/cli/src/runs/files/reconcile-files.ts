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
import { countOf, line, renderNext, shortId, toned, writeJson } from "@turnseal/terminal";
import { renderProblems, renderReconciliation, UNKNOWN_ROOTS } from "@turnseal/terminal/runs";
import { EXIT_CODES, type ExitCode } from "../../exit-codes.ts";
import { readIdentity } from "../../terminal/read-identity.ts";
import { RefusalError } from "../../terminal/refusal.ts";
import { reportFailure } from "../../terminal/report-failure.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import type { NamedRun } from "../../with-run.ts";
import { applyFileAnswer, reportLater } from "./apply-file-answer.ts";
import { refuseStopped } from "./refuse-stopped.ts";

export interface ReconcileOptions {
  readonly way: ReconcileWay;
  readonly roots: Roots;
  /** Of one root alone. */
  readonly root?: string | undefined;
  /** For `manual`. */
  readonly sides?: ReadonlyMap<string, ReconcileSide>;
  /** The person has agreed already. */
  readonly isConfirmed: boolean;
  /** Every line is shown. */
  readonly isWhole?: boolean | undefined;
  readonly json?: boolean | undefined;
  /** Takes the run from its holder. */
  readonly takeOver?: (() => Promise<void>) | undefined;
}

/** `done` where every root agrees with the run now; otherwise how the command ends. */
export async function reconcileFiles(
  named: NamedRun,
  options: ReconcileOptions,
  surroundings: Surroundings,
): Promise<"done" | ExitCode> {
  const { run } = named.known;
  const projection = await readRun(named.folder.stores, run);
  if (projection === undefined || projection.stopped !== null) throw refuseStopped(run);
  const managed = Object.keys(projection.artifacts ?? {}).sort();
  const roots = options.root === undefined ? managed : [options.root];
  const stray = roots.find((root) => !managed.includes(root));
  const next = `turnseal drift ${shortId(run)}`;
  if (stray !== undefined) throw new RefusalError(`the run manages no files under ${stray}`, next);
  if (options.way === "manual" && roots.length > 1)
    throw new RefusalError(
      `with manual one root is named, and the run has ${roots.join(", ")}`,
      `${next} --reconcile manual --root <name> --keep <paths> --restore <paths>`,
    );
  const parts = { options, surroundings, tally: { files: 0 } };
  for (const root of roots) {
    const end = await reconcileRoot(root, named, parts);
    if (end !== "done") return end;
  }
  return "done";
}

interface RootParts {
  readonly options: ReconcileOptions;
  readonly surroundings: Surroundings;
  /** Files that this command has reconciled so far. */
  readonly tally: { files: number };
}

/** One plan after the other: each has a limit. */
async function reconcileRoot(
  root: string,
  named: NamedRun,
  parts: RootParts,
): Promise<"done" | ExitCode> {
  const { options, surroundings, tally } = parts;
  const { folder, known } = named;
  const sides = new Map(options.sides);
  for (;;) {
    const projection = await readRun(folder.stores, known.run);
    if (projection === undefined) return EXIT_CODES.failed;
    const { way, roots, takeOver } = options;
    const request = { root, way, sides };
    const plan = await planReconciliation(projection, request, { stores: folder.stores, roots });
    if (plan.kind === "agreed") return "done";
    if (plan.kind !== "planned") return reportNoPlan({ root, run: known.run }, plan, parts);
    show(known.run, plan, parts);
    const no = await confirm(parts, known.run);
    if (no !== undefined) return no;
    const by = readIdentity(surroundings.environment);
    const ports = { stores: folder.stores, put: folder.stores.inbox.put };
    const told = await tellReconciliation(known.run, { ...plan, by }, ports);
    if (told.kind === "refused") return reportUndone(told.reason, known.run, parts);
    const end = await applyFileAnswer(named, { key: told.key, at: plan.plan.at, roots, takeOver });
    if (end.kind === "waiting") return reportLater(known.run, surroundings);
    if (end.kind === "refused") return reportUndone(end.why, known.run, parts);
    const { content } = end.event;
    if (!("way" in content)) return EXIT_CODES.failed;
    tally.files += content.files;
    if (content.left !== undefined) {
      const why = content.why ?? "they have changed again";
      return reportUndone(`${countOf(content.left, "file")} left: ${why}`, known.run, parts);
    }
    // These files are settled: only the others still differ.
    for (const { path } of plan.plan.files) sides.delete(path);
    if (plan.more === 0) return "done";
  }
}

/** The state of the files when a command ends early. */
function describeDone({ tally: { files } }: RootParts): string {
  if (files === 0) return "nothing was changed";
  return `${countOf(files, "file")} reconciled, and nothing else was changed`;
}

/** Reports the run's result on this very answer. Results of other answers are unknown here. */
function reportUndone(why: string, run: string, { tally, surroundings }: RootParts): ExitCode {
  const { files } = tally;
  const next = `turnseal drift ${shortId(run)}, then run this command again`;
  const words =
    files === 0
      ? `the run did not do it: ${why}`
      : `${countOf(files, "file")} reconciled, and the rest was not done: ${why}`;
  return reportFailure(surroundings.terminal, words, next);
}

function show(
  run: string,
  plan: Extract<ReconcilePlan, { readonly kind: "planned" }>,
  { options, surroundings }: RootParts,
): void {
  const { out } = surroundings.terminal;
  if (options.json !== true) {
    renderReconciliation(plan, { isWhole: options.isWhole === true }).forEach(out.writeLine);
    return;
  }
  const states = new Map(plan.plan.files.map((file) => [file.path, file]));
  const files = plan.shown.map(({ drift: { kind, path }, becomes: side }) => {
    const { recorded, seen, becomes } = states.get(path) ?? {};
    return { kind, path, becomes: side, states: { recorded, seen, becomes } };
  });
  const { root, way } = plan.plan;
  writeJson(out, { type: "reconcile", run, root, way, files, more: plan.more });
}

function reportNoPlan(
  { root, run }: { readonly root: string; readonly run: string },
  plan: Exclude<ReconcilePlan, { readonly kind: "planned" | "agreed" }>,
  parts: RootParts,
): ExitCode {
  const { options, surroundings } = parts;
  const { terminal } = surroundings;
  const drift = `turnseal drift ${shortId(run)}`;
  if (plan.kind === "unknown") {
    const why = `the files under ${root} cannot be compared: ${UNKNOWN_ROOTS[plan.why]}`;
    const next =
      plan.why === "erased"
        ? `turnseal verify ${shortId(run)}`
        : `TURNSEAL_ROOTS=${root}=<folder> ${drift}`;
    return reportFailure(terminal, `${describeDone(parts)}: ${why}`, next);
  }
  const message = `${options.way} cannot be done, so ${describeDone(parts)}`;
  terminal.err.writeLine(line(toned("bad", "error: "), message));
  renderProblems(plan.problems).forEach(terminal.err.writeLine);
  const replaced = plan.problems.filter(({ why }) => why === "replaced").map(({ path }) => path);
  const next =
    replaced.length === 0
      ? `${drift} --reconcile manual --root ${root} --keep <paths> --restore <paths>`
      : `move ${replaced.join(", ")} away, then ${drift} --reconcile ${options.way}`;
  terminal.err.writeLine(renderNext(next));
  return EXIT_CODES.failed;
}

/** Undefined if the person agrees; without a terminal, `--yes` must be set before. */
async function confirm(parts: RootParts, run: string): Promise<ExitCode | undefined> {
  const { options, surroundings } = parts;
  if (options.isConfirmed) return undefined;
  const { stdin, stderr, terminal } = surroundings;
  const next = `turnseal drift ${shortId(run)} --reconcile ${options.way} --yes`;
  if ((stdin as { readonly isTTY?: boolean }).isTTY !== true)
    throw new RefusalError(`${describeDone(parts)}: it needs a yes`, next);
  const prompt = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await prompt.question("do this? [y/N] ");
    if (/^y(es)?$/i.test(answer.trim())) return undefined;
    terminal.err.writeLine(line(describeDone(parts)));
    return EXIT_CODES.failed;
  } finally {
    prompt.close();
  }
}
