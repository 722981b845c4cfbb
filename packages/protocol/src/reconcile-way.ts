/**
 * The ways to reconcile drifted files: the record wins, the files win, a person decides for each
 * file, or both are merged.
 */
export const RECONCILE_WAYS = ["graph-wins", "files-win", "manual", "merge"] as const;
export type ReconcileWay = (typeof RECONCILE_WAYS)[number];
