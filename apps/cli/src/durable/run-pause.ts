import type { PauseBook, PauseTarget } from "@turnseal/adapters/postgres";
import { formatPaused, PAUSE_BECAUSE_LENGTH_MAX, type Pause } from "@turnseal/protocol";
import {
  type Line,
  line,
  renderNext,
  renderNote,
  type Terminal,
  toned,
  writeJson,
} from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { readPerson } from "../terminal/read-person.ts";
import { RefusalError } from "../terminal/refusal.ts";
import { withBook } from "../with-book.ts";

export type PauseCommand = "pause" | "unpause" | "pauses";

export interface PauseOptions {
  readonly postgres?: string;
  readonly all?: boolean;
  readonly tenant?: string;
  readonly loop?: string;
  readonly tool?: string;
  readonly because?: string;
  readonly json?: boolean;
}

/** `turnseal pause`, `unpause` and `pauses`: pause a scope, lift its pause, and list pauses. */
export async function runPause(
  command: PauseCommand,
  options: PauseOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { postgres, because = "" } = options;
  const [target, ...others] = listTargets(options);
  const example = `turnseal ${command} --tool local.pay`;
  const isNamed = target !== undefined && (target.scope === "all" || target.name !== "");
  if (command !== "pauses" && (!isNamed || others.length > 0))
    throw new RefusalError("name one of --all, --tenant, --loop and --tool", example);
  if (command === "pause" && !isReason(because))
    throw new RefusalError(
      `a pause says why, in one line of at most ${PAUSE_BECAUSE_LENGTH_MAX} characters`,
      `${example} --because "refunds are paid twice"`,
    );
  return withBook(
    { command, postgres },
    (peers, url) => peers.openPauseBook({ url }),
    async (book) => {
      if (command === "pauses" || target === undefined)
        return await showAll(book, options, terminal);
      return command === "pause"
        ? await put(book, { ...target, because, by: readPerson() }, { options, terminal })
        : await lift(book, target, { options, terminal });
    },
  );
}

function listTargets({ all, tenant, loop, tool }: PauseOptions): PauseTarget[] {
  return [
    ...(all === true ? [{ scope: "all", name: "" } as const] : []),
    ...(tenant === undefined ? [] : [{ scope: "tenant", name: tenant } as const]),
    ...(loop === undefined ? [] : [{ scope: "loop", name: loop } as const]),
    ...(tool === undefined ? [] : [{ scope: "tool", name: tool } as const]),
  ];
}

/** It stands in logs and in lists: one line, of plain characters. */
function isReason(because: string): boolean {
  const isLong = because.length > PAUSE_BECAUSE_LENGTH_MAX;
  return because.trim() !== "" && !isLong && !/\p{C}/u.test(because);
}

interface Telling {
  readonly options: PauseOptions;
  readonly terminal: Terminal;
}

async function put(
  book: PauseBook,
  wanted: Omit<Pause, "since">,
  { options: { json }, terminal }: Telling,
): Promise<ExitCode> {
  const answer = await book.put(wanted);
  if (answer.kind === "full") {
    throw new RefusalError(
      "there are too many pauses",
      "turnseal pauses, then turnseal unpause",
      EXIT_CODES.failed,
    );
  }
  const { pause } = answer;
  const words = formatPaused(pause);
  if (answer.kind === "known") {
    const message = `${words} is paused already, by ${pause.by} since ${pause.since}`;
    throw new RefusalError(message, `turnseal pauses, or ${renderLift(pause)}`, EXIT_CODES.failed);
  }
  const { out, err } = terminal;
  if (!(await isDeployed(book, pause)))
    err.writeLine(renderNote(`no release that is deployed has ${words}`));
  if (pause.scope === "tenant" && !(await book.hasTenant(pause.name)))
    err.writeLine(renderNote(`there is no ${words}: turnseal tenant list`));
  if (json) writeJson(out, pause, 2);
  else {
    out.writeLine(line(toned("good", "✓ "), ...renderPause(pause).spans));
    out.writeLine(line("Nothing of it begins after three seconds; what acts now ends."));
    out.writeLine(renderNext(`${renderLift(pause)} lifts it`));
  }
  return EXIT_CODES.done;
}

async function lift(
  book: PauseBook,
  target: PauseTarget,
  { options: { json }, terminal }: Telling,
): Promise<ExitCode> {
  const pause = await book.lift(target, readPerson());
  if (pause === undefined) {
    throw new RefusalError(
      `${formatPaused(target)} is not paused`,
      "turnseal pauses",
      EXIT_CODES.failed,
    );
  }
  const { out } = terminal;
  if (json) writeJson(out, pause, 2);
  else {
    out.writeLine(line(toned("good", "✓ "), `${formatPaused(pause)} is not paused any more`));
    out.writeLine(line("Its runs go on within five minutes; turnseal resume moves one at once."));
  }
  return EXIT_CODES.done;
}

async function showAll(
  book: PauseBook,
  { json }: PauseOptions,
  { out }: Terminal,
): Promise<ExitCode> {
  const pauses = await book.list();
  if (json) writeJson(out, pauses, 2);
  else if (pauses.length === 0) out.writeLine(line("nothing is paused"));
  else pauses.map(renderPause).forEach(out.writeLine);
  return EXIT_CODES.done;
}

/** Refuses a loop that no release has: a misspelled pause would pause nothing. */
async function isDeployed(book: PauseBook, { scope, name }: PauseTarget): Promise<boolean> {
  if (scope !== "loop") return true;
  const releases = await book.listReleases();
  const loops = releases.flatMap(({ facts }) => facts["loops"] ?? []);
  return releases.length === 0 || JSON.stringify(loops).includes(`"id":${JSON.stringify(name)}`);
}

function renderPause(pause: Pause): Line {
  return line(
    toned("strong", formatPaused(pause)),
    " ",
    toned("warning", "paused"),
    `  ${pause.because}`,
    toned("faint", `  by ${pause.by}, ${pause.since}`),
  );
}

function renderLift({ scope, name }: PauseTarget): string {
  return `turnseal unpause --${scope}${scope === "all" ? "" : ` ${name}`}`;
}
