/** One event of a log, and what it hashes to: nobody can put another in its place. */
export interface EventPoint {
  readonly sequence: number;
  readonly hash: string;
}
