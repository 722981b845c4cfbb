import { runs } from "./0001-runs.ts";

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** Every migration, in order. One that was released is never edited: add another. */
export const MIGRATIONS: readonly Migration[] = [{ number: 1, name: "runs", sql: runs }];
