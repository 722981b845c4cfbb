export { withArchived } from "./bundles/archived-stores.ts";
export { bundleRun, collectContent, renderBundle } from "./bundles/bundle-run.ts";
export { eraseBundles } from "./bundles/erase-bundles.ts";
export { bundleNameOf } from "./bundles/open-archived.ts";
export {
  type BundleStores,
  type OpenedBundle,
  openBundle,
  UNREADABLE,
} from "./bundles/open-bundle.ts";
export type { EngineSide } from "./engine-side.ts";
export {
  isUnwritable,
  openFileKeys,
  openSigner,
  readPublicKeys,
  toPublicKey,
} from "./keys/open-keys.ts";
export { takeSigningSecrets } from "./keys/signing-secrets.ts";
export { readStoreTrust, type Trust } from "./keys/store-trust.ts";
export { openKeptLoops } from "./origins/open-kept-loops.ts";
export {
  countOrigins,
  listOrigins,
  type OriginToWrite,
  readOrigin,
  writeOrigin,
} from "./origins/origin.ts";
export { RELEASES_FRESH_MS, recentReleases } from "./origins/recent-releases.ts";
export { listPreferred, toRelease } from "./origins/to-release.ts";
export { readPerson } from "./read-person.ts";
export {
  describeStanding,
  listUnanswered,
  type RunStanding,
  readRunStanding,
  waitsForPerson,
} from "./run-standing.ts";
export { findIdleRoot, type IdleRoot } from "./search/find-idle-root.ts";
export { type FoundObstacle, findObstacle, type LoopsHere } from "./search/find-obstacle.ts";
export { type FoundRequest, findRequestByName } from "./search/find-request-by-name.ts";
export { findNewest, findRun, findUnfinished, LAST_RUN } from "./search/find-run.ts";
export { type AskingRuns, listAsking } from "./search/find-runs.ts";
export { findWaiting, listWaitingRuns, type WaitingRun } from "./search/find-waiting.ts";
export { readNewest } from "./search/list-newest.ts";
export { listRuns, readRuns } from "./search/list-runs.ts";
export type { StoreFolder } from "./store-folder.ts";
