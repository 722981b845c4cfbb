import type { Surroundings } from "./surroundings.ts";

/** What whoever adds commands is given. */
export interface CommandParts {
  readonly surroundings: Surroundings;
  readonly report: (exitCode: number) => void;
}
