/** One event of a log, with its hash, so that no other event can replace it. */
export interface EventPoint {
  readonly sequence: number;
  readonly hash: string;
}
