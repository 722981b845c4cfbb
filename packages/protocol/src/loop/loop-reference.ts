/** Names a loop; without a version, its highest release. */
export interface LoopReference {
  readonly loopId: string;
  readonly loopVersion?: string;
}
