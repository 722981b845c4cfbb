import { userInfo } from "node:os";

/**
 * Who sits at the keyboard, as the operating system knows them: the one who grants, signals and
 * decides.
 */
export function readPerson(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
