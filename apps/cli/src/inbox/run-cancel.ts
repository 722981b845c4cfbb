import { cancelMessage } from "@turnseal/host";
import { shortId } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { readPerson } from "../terminal/read-person.ts";
import { RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type NamedRun, withRun } from "../with-run.ts";
import { type PutOptions, putMessage } from "./put-message.ts";

export interface CancelOptions extends PutOptions {
  /** Stops this turn alone. */
  readonly turn?: number;
}

/** `turnseal cancel`: cancels a run, or one turn of it. The finished part is sealed. */
export function runCancel(
  run: string,
  options: CancelOptions,
  { terminal }: Pick<Surroundings, "terminal">,
): Promise<ExitCode> {
  const { turn } = options;
  return withRun(run, options, async (named) => {
    // The same person cancels a run once: repeating it is the same message.
    const by = readPerson();
    const { known } = named;
    if (turn === undefined)
      return putMessage(cancelMessage(known.run, { key: by, by }), named, { ...options, terminal });
    if (!isOpen(turn, named)) throw refuseTurn(turn, named);
    const words = {
      done: `turn ${turn} is being cancelled`,
      after: "the run continues with the next signal if it awaits one, and stops otherwise",
      facts: { turn },
    };
    const message = cancelMessage(known.run, { key: `${by}:turn:${turn}`, by, turn });
    return putMessage(message, named, { ...options, terminal, words });
  });
}

/** For a stopped run, the inbox itself refuses the message and says why. */
function isOpen(turn: number, { known: { projection } }: NamedRun): boolean {
  return (projection?.stopped ?? null) !== null || projection?.openTurn?.turn === turn;
}

function refuseTurn(turn: number, { known: { run } }: NamedRun): RefusalError {
  const message = `not accepted: turn ${turn} is not open`;
  return new RefusalError(message, `turnseal show ${shortId(run)}`, EXIT_CODES.failed);
}
