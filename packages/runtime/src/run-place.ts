/** Where runs are: in a folder of this machine, or under an engine and in its database. */
export interface RunPlace {
  /** The folder of local runs, and of keys and notes. */
  readonly store?: string;
  /** The ingress of an engine: with it, workers drive the runs. */
  readonly host?: string;
  readonly postgres?: string;
  readonly tenant?: string;
  /** Where archived runs are, if not where the database says. */
  readonly archive?: string;
}
