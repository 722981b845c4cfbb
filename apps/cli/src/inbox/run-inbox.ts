import { isUuid } from "@turnseal/protocol";
import { findWaiting, listWaitingRuns, type WaitingRun } from "@turnseal/runtime/folder";
import {
  countOf,
  type Line,
  line,
  renderNext,
  renderNote,
  toned,
  writeJson,
} from "@turnseal/terminal";
import {
  listWaiting,
  renderCards,
  renderQuarantinedRow,
  renderRequestRow,
  renderResume,
  renderSignals,
  renderUnknownRow,
  toJsonClaim,
} from "@turnseal/terminal/inbox";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type StoreOptions, withFolder } from "../with-run.ts";

export interface InboxOptions extends StoreOptions {
  readonly json?: boolean;
  readonly after?: string;
}

/** `turnseal inbox`: all open requests to people; by name, or if there is only one, its card. */
export function runInbox(
  name: string | undefined,
  options: InboxOptions,
  { terminal }: Surroundings,
): Promise<ExitCode> {
  const { after } = options;
  return withFolder(options, async (folder) => {
    const isPaged = name === undefined && folder.engine !== undefined;
    if (after !== undefined && !(isPaged && isUuid(after)))
      throw new RefusalError(
        "--after takes the whole id of a run, with --host, and without a name",
        "turnseal inbox",
      );
    const listed =
      name === undefined
        ? await listWaitingRuns(folder, after)
        : { waiting: await findWaiting(folder, name), more: 0 };
    if (listed === undefined)
      throw new RefusalError(`run ${after} does not wait any more`, "turnseal inbox");
    const { waiting: found, more, last } = { last: undefined, ...listed };
    if (found.length === 0 && name !== undefined)
      throw new RefusalError(`no open request matches ${name}`, "turnseal inbox");
    const { out } = terminal;
    if (options.json) writeJson(out, found.map(toJson), 2);
    else {
      const isShown = name !== undefined || countAll(found) === 1;
      (isShown ? found.flatMap(showCards) : showRows(found)).forEach(out.writeLine);
    }
    if (more > 0) {
      const note = `${countOf(found.length, "run")} shown, ${more} more requests are waiting`;
      terminal.err.writeLine(renderNote(note));
      terminal.err.writeLine(line(toned("faint", "next: "), `turnseal inbox --after ${last}`));
    }
    return EXIT_CODES.done;
  });
}

function countAll(found: readonly WaitingRun[]): number {
  return found.reduce(
    (count, { waiting: { requests, unknown, quarantined } }) =>
      count + requests.length + unknown.length + (quarantined === undefined ? 0 : 1),
    0,
  );
}

function showCards({ waiting, resume }: WaitingRun): Line[] {
  const cards = renderCards(waiting, { content: true, nowMs: Date.now(), resume });
  return [...cards, ...renderSignals(waiting)];
}

function showRows(found: readonly WaitingRun[]): Line[] {
  if (found.length === 0) return [line("nothing is waiting for a person")];
  const nowMs = Date.now();
  const roots = found.flatMap(({ resume }) => (resume === undefined ? [] : [resume]));
  return [
    ...found.flatMap(({ waiting }) => [
      ...waiting.requests.map((request) => renderRequestRow(request, waiting, nowMs)),
      ...waiting.unknown.map((claim) => renderUnknownRow(waiting, claim)),
      ...renderQuarantinedRow(waiting),
    ]),
    ...[...new Map(roots.map((root) => [root.run, root])).values()].map(renderResume),
    renderNext("turnseal inbox <id>  (shows the exact request)"),
  ];
}

function toJson({ known, waiting }: WaitingRun): object {
  const { run, unknown, answered, spending, budget, quarantined, signals, unfit } = waiting;
  return {
    run,
    loop: known.loop,
    stopped: waiting.stopped,
    ...listWaiting(waiting, { content: true }),
    unknown: unknown.map((claim) => ({
      ...toJsonClaim(claim),
      isAnswered: answered.has(claim.hash),
    })),
    ...(quarantined === undefined ? {} : { quarantined }),
    ...(signals.length === 0 ? {} : { signals, samples: waiting.samples }),
    ...(unfit.length === 0 ? {} : { unfit }),
    spending,
    budget,
  };
}
