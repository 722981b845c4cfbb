/** Where a thread stood when the last turn that went on with it ended. */
export interface ThreadMark {
  /** Null where that turn did not record it. */
  readonly head: string | null;
  /** The event from which on it is read. */
  readonly since: number;
}

export type ThreadMarks = Readonly<Record<string, ThreadMark>>;
