/** Something that can happen next. */
export interface Move {
  /** How likely it is, beside the others. */
  readonly weight: number;
  make(): Promise<void> | void;
}
