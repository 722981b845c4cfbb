/** Words for a file that was not read or changed: the cause, and what the model can do. */

import type { ArtifactRefusal } from "@turnseal/protocol/authoring";
import { notDone } from "@turnseal/protocol/authoring";

const REASONS: Readonly<Record<ArtifactRefusal, string>> = {
  path: "is no path under the root: write it as `src/main.ts`, without `..` and a leading `/`",
  undeclared: "cannot be reached: this run has no root of files",
  "read-only": "cannot be changed by a tool that reads",
  ended: "was not reached: the call has ended",
  secret: "is refused: a secret of the tool would be kept with it",
  "too-large": "is too large",
  "too-many": "is refused: the call, or the run, already manages as many files as it may",
  unmanaged: "was not written by this run: read it, and pass its `version`",
  absent: "does not exist",
  changing: "changes while it is read: try again",
  denied: "is refused: this process may not reach it, or the root leaves it out",
  link: "is refused: it is a link, or leads through one",
  "no-file": "is no regular file",
};

/** The error of a tool that was refused and did nothing. */
export function refusedFile(path: string, reason: ArtifactRefusal): Error {
  return notDone(`${path === "" ? "the root" : path} ${REASONS[reason]}`);
}

/** The error of a tool that found another file than the model had seen. */
export function changedFile(path: string): Error {
  return notDone(`${path} is not as you saw it last: read it again, and pass its \`version\``);
}
