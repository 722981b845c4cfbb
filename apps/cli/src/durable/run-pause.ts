import type { PauseBook, PauseTarget } from "@turnseal/adapters/postgres";
import { formatPaused, PAUSE_BECAUSE_LENGTH_MAX, type Pause } from "@turnseal/protocol";
import { loadPeers } from "@turnseal/runtime/engine";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { type Line, line, toned } from "../terminal/line.ts";
import { readPerson } from "../terminal/read-person.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";

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

/** `turnseal pause`, `unpause` and `pauses`: what nobody may begin for now. */
export async function runPause(
  command: PauseCommand,
  options: PauseOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { postgres, because = "" } = options;
  const usage = (message: string, next: string) => reportUsage(terminal, message, next);
  if (postgres === undefined)
    return usage(
      "no database is given",
      `turnseal ${command} --postgres postgres://user@host/database, or TURNSEAL_POSTGRES_URL`,
    );
  const [target, ...others] = listTargets(options);
  const example = `turnseal ${command} --tool local.pay`;
  const isNamed = target !== undefined && (target.scope === "all" || target.name !== "");
  if (command !== "pauses" && (!isNamed || others.length > 0))
    return usage("name one of --all, --tenant, --loop and --tool", example);
  if (command === "pause" && !isReason(because))
    return usage(
      `a pause says why, in one line of at most ${PAUSE_BECAUSE_LENGTH_MAX} characters`,
      `${example} --because "refunds are paid twice"`,
    );
  const peers = await loadPeers();
  if (peers.kind === "missing") return usage(peers.message, peers.next);
  const book = await peers.openPauseBook({ url: postgres });
  try {
    if (command === "pauses" || target === undefined) return await showAll(book, options, terminal);
    return command === "pause"
      ? await put(book, { ...target, because, by: readPerson() }, { options, terminal })
      : await lift(book, target, { options, terminal });
  } finally {
    await book.close();
  }
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
    reportUsage(terminal, "there are too many pauses", "turnseal pauses, then turnseal unpause");
    return EXIT_CODES.failed;
  }
  const { pause } = answer;
  const words = formatPaused(pause);
  if (answer.kind === "known") {
    const message = `${words} is paused already, by ${pause.by} since ${pause.since}`;
    reportUsage(terminal, message, `turnseal pauses, or ${renderLift(pause)}`);
    return EXIT_CODES.failed;
  }
  const { out, err } = terminal;
  if (!(await isDeployed(book, pause)))
    err.writeLine(line(toned("warning", "note: "), `no release that is deployed has ${words}`));
  if (pause.scope === "tenant" && !(await book.hasTenant(pause.name)))
    err.writeLine(line(toned("warning", "note: "), `there is no ${words}: turnseal tenant list`));
  if (json) out.writeText(`${renderJson(pause, 2)}\n`);
  else {
    out.writeLine(line(toned("good", "✓ "), ...renderPause(pause).spans));
    out.writeLine(line("Nothing of it begins after three seconds; what acts now ends."));
    out.writeLine(line("  ", toned("faint", "next: "), `${renderLift(pause)} lifts it`));
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
    reportUsage(terminal, `${formatPaused(target)} is not paused`, "turnseal pauses");
    return EXIT_CODES.failed;
  }
  const { out } = terminal;
  if (json) out.writeText(`${renderJson(pause, 2)}\n`);
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
  if (json) out.writeText(`${renderJson(pauses, 2)}\n`);
  else if (pauses.length === 0) out.writeLine(line("nothing is paused"));
  else pauses.map(renderPause).forEach(out.writeLine);
  return EXIT_CODES.done;
}

/** A name that nothing has pauses nothing: whoever is in a hurry is told. */
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
