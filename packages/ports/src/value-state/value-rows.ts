/** The store's operations on values: rows of texts that `bindValues` has checked. */
export interface ValueRows {
  read(key: string): Promise<ValueRow | undefined>;
  list(prefix: string, after: string, limit: number): Promise<readonly string[]>;
  /**
   * Makes all changes or none, at one moment: first what begins with `clear` is taken away. Each
   * commit MUST have a version that is larger than those before.
   */
  commit(commit: ValueCommit): Promise<CommitAnswer>;
  /** All of one moment; undefined where it is more than a snapshot may have. */
  readAll(prefix: string): Promise<readonly Pick<ValueRow, "key" | "body">[] | undefined>;
  append(log: string, body: string): Promise<number>;
  readLog(log: string, from: number, limit: number): Promise<readonly EntryRow[]>;
}

export interface ValueRow {
  readonly key: string;
  readonly version: number;
  /** JSON. */
  readonly body: string;
}

export interface EntryRow {
  readonly number: number;
  readonly body: string;
}

export interface ValueCommit {
  readonly clear?: string;
  readonly changes: readonly RowChange[];
}

export interface RowChange {
  readonly key: string;
  /** Null takes the row away. */
  readonly body: string | null;
  readonly version?: number;
}

export type CommitAnswer =
  | { readonly kind: "done"; readonly version: number }
  | { readonly kind: "stale"; readonly key: string; readonly version: number };
