import { userInfo } from "node:os";

/** The user of the operating system: the person who grants, signals and decides. */
export function readPerson(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
