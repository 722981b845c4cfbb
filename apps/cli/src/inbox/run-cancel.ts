import { cancelMessage } from "@turnseal/host";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { readPerson } from "../terminal/read-person.ts";
import type { Terminal } from "../terminal/screen.ts";
import { shortId } from "../terminal/short-id.ts";
import { type NamedRun, withRun } from "../with-run.ts";
import { type PutOptions, putMessage } from "./put-message.ts";

export interface CancelOptions extends PutOptions {
  /** Stops this turn alone. */
  readonly turn?: number;
}

/** `turnseal cancel`: asks a run to end, or one turn of it. What it did until then is sealed. */
export function runCancel(
  run: string,
  options: CancelOptions & { readonly terminal: Terminal },
): Promise<ExitCode> {
  const { turn, terminal } = options;
  return withRun(run, options, async (named) => {
    // One person's wish is one wish, however often it is said.
    const by = readPerson();
    const { known } = named;
    if (turn === undefined)
      return putMessage(cancelMessage(known.run, { key: by, by }), named, options);
    if (!isOpen(turn, named)) return reportNotOpen(turn, named, terminal);
    const words = {
      done: `turn ${turn} is being cancelled`,
      after: "the run continues with the next signal if it awaits one, and stops otherwise",
      facts: { turn },
    };
    const message = cancelMessage(known.run, { key: `${by}:turn:${turn}`, by, turn });
    return putMessage(message, named, { ...options, words });
  });
}

/** A run that has stopped is left to whoever puts the message: it says why it is not taken. */
function isOpen(turn: number, { known: { projection } }: NamedRun): boolean {
  return (projection?.stopped ?? null) !== null || projection?.openTurn?.turn === turn;
}

function reportNotOpen(turn: number, { known: { run } }: NamedRun, { err }: Terminal): ExitCode {
  const message = `not accepted: turn ${turn} is not open`;
  err.writeLine(line(toned("bad", "error: "), message));
  err.writeLine(line("  ", toned("faint", "next: "), `turnseal show ${shortId(run)}`));
  return EXIT_CODES.failed;
}
