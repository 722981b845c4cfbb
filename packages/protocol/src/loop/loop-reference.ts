/** Names a loop; without a version the highest release is meant. */
export interface LoopReference {
  readonly loopId: string;
  readonly loopVersion?: string;
}
