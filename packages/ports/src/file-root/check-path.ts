import { findPathFault, PATH_FAULTS } from "@turnseal/protocol/artifact";

/** A path that is none is a mistake of whoever calls: what comes from outside is checked before. */
export function checkPath(path: string): void {
  const fault = findPathFault(path);
  if (fault !== undefined) throw new RangeError(PATH_FAULTS[fault]);
}

/** As `checkPath`, but for the root itself. */
export function checkFolder(path: string): void {
  if (path !== "") checkPath(path);
}
