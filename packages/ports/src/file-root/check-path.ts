import { findPathFault, PATH_FAULTS } from "@turnseal/protocol/artifact";

/** An invalid path is a mistake of the caller: paths from outside are checked before. */
export function checkPath(path: string): void {
  const fault = findPathFault(path);
  if (fault !== undefined) throw new RangeError(PATH_FAULTS[fault]);
}

/** As `checkPath`, but for the root itself. */
export function checkFolder(path: string): void {
  if (path !== "") checkPath(path);
}
