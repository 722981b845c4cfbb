import type { Registry } from "@turnseal/kernel";
import { findNearest } from "@turnseal/protocol";
import { line, renderNext, type Terminal, toned } from "@turnseal/terminal";
import { listingCommand } from "@turnseal/terminal/loops";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";

export interface Looked {
  readonly from: readonly string[] | undefined;
  readonly registry: Pick<Registry, "list">;
}

/** Reports that there is no such loop, the closest name, and how to list the loops. */
export function reportMissing(
  name: string,
  { from, registry }: Looked,
  { err }: Terminal,
): ExitCode {
  const nearest = findNearest(
    name,
    registry.list().map(({ definition }) => definition.id),
  );
  const meant = nearest === undefined ? "" : `: did you mean ${nearest}?`;
  err.writeLine(line(toned("bad", "LOOP_NOT_FOUND"), `  there is no loop ${name}${meant}`));
  err.writeLine(renderNext(listingCommand(from)));
  return EXIT_CODES.failed;
}
