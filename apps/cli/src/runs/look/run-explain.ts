import type { RunProjection } from "@turnseal/folds";
import {
  findRollbackCause,
  type KnownRun,
  listRollbacks,
  readEvents,
  readParts,
  readRollbackHead,
  readRollbackProgress,
  readWaiting,
} from "@turnseal/host";
import { openKeptLoops, type StoreFolder } from "@turnseal/runtime/folder";
import { writeJson } from "@turnseal/terminal";
import {
  type Explanation,
  renderExplanation,
  sealedUntil,
  toJsonExplanation,
} from "@turnseal/terminal/runs";
import { summarizeRun } from "@turnseal/views";
import { EXIT_CODES, type ExitCode } from "../../exit-codes.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { type Subject, type SubjectOptions, withSubject } from "../../with-subject.ts";
import { readStandingOf } from "../state/read-standing-of.ts";
import { checkRun, lookAfterStop, openRun } from "./check-run.ts";

export interface ExplainOptions extends SubjectOptions {
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
  return withSubject(name, { ...options, terminal }, async (subject) => {
    const { known, folder, stores, exported } = subject;
    const isChecked = folder !== undefined && isOpen(known.projection);
    const until = exported === undefined ? {} : { until: sealedUntil(exported) };
    const explanation: Explanation = {
      ...known,
      ...(exported === undefined ? {} : { exported }),
      summary: await summarizeRun(readEvents(stores.log, known.run, 1), until),
      ...(known.projection && { parts: await readParts(stores, known.projection) }),
      ...(isChecked
        ? await checkRun({ known, folder }, options.from, surroundings)
        : { ...(await readStandingOf(subject)), check: null }),
      ...(folder && (await lookAfterStop({ known, folder }, options.from, surroundings))),
      ...(isChecked ? await readSamplesOf(known, folder) : {}),
      ...(await readRollbacksOf(subject)),
      ...(await readTriggeredOf(subject, options, surroundings)),
    };
    const { out } = terminal;
    if (options.json) writeJson(out, toJsonExplanation(explanation), 2);
    else renderExplanation(explanation).forEach(out.writeLine);
    return EXIT_CODES.done;
  });
}

/** Payloads that fit the signals that the run waits for. */
async function readSamplesOf(
  { projection }: KnownRun,
  folder: StoreFolder,
): Promise<Pick<Explanation, "samples">> {
  if (projection === undefined) return {};
  const loops = await openKeptLoops({ projection }, folder);
  const { samples } = await readWaiting(folder.stores, projection, loops);
  return { samples };
}

/** The run that this one undoes, and its own rollbacks. */
async function readRollbacksOf({
  known: { run, projection },
  stores,
  folder,
}: Subject): Promise<Pick<Explanation, "takesBack" | "rollbacks">> {
  const takesBack = await readRollbackHead(stores, projection);
  const progress = await readRollbackProgress(stores, projection);
  const rollbacks = folder && (await listRollbacks(run, folder.stores));
  return {
    ...(rollbacks === undefined
      ? {}
      : {
          rollbacks: await Promise.all(
            rollbacks.map(async (each) => ({
              ...each,
              progress: await readRollbackProgress(stores, each.projection),
            })),
          ),
        }),
    ...(takesBack === undefined || progress === undefined
      ? {}
      : { takesBack: { ...takesBack, progress } }),
  };
}

/** The state of the rollback that the run starts by itself. */
async function readTriggeredOf(
  { known, folder }: Subject,
  { from }: ExplainOptions,
  surroundings: Surroundings,
): Promise<Pick<Explanation, "triggered">> {
  const { projection, run } = known;
  if (projection === undefined || folder === undefined) return {};
  const cause = await findRollbackCause(projection, folder.stores);
  if (cause === undefined) return {};
  const [rollback] = await listRollbacks(run, folder.stores);
  if (rollback !== undefined) return { triggered: { cause, kind: "asked", rollback } };
  const opened = await openRun({ known, folder }, from, surroundings);
  if ("problem" in opened)
    return { triggered: { cause, kind: "problem", message: opened.problem } };
  const triggered = await opened.host.triggered(run);
  return triggered === undefined ? {} : { triggered };
}

function isOpen(projection: RunProjection | undefined): boolean {
  return projection !== undefined && projection.stopped === null;
}
