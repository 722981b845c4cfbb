import type { FileToTake } from "@turnseal/ports";

/** Files by the JSON Pointer to where they are named: one, or a list of them. */
export type FilesToAttach = Readonly<Record<string, FileToTake | readonly FileToTake[]>>;
