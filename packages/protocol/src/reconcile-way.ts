/**
 * What counts where files are not what a run recorded: what it recorded, what is there, of each
 * file what a person says, or both, where they go together.
 */
export const RECONCILE_WAYS = ["graph-wins", "files-win", "manual", "merge"] as const;
export type ReconcileWay = (typeof RECONCILE_WAYS)[number];
