export { withArchived } from "./archived-stores.ts";
export { bundleRun, renderBundle } from "./bundle-run.ts";
export type { EngineSide } from "./engine-side.ts";
export { findIdleRoot } from "./find-idle-root.ts";
export { type FoundObstacle, findObstacle, type LoopsHere } from "./find-obstacle.ts";
export { type FoundRequest, findRequestByName } from "./find-request-by-name.ts";
export { findNewest, findRun, findUnfinished, LAST_RUN } from "./find-run.ts";
export { type AskingRuns, listAsking } from "./find-runs.ts";
export { findWaiting, listWaitingRuns, type WaitingRun } from "./find-waiting.ts";
export { readNewest } from "./list-newest.ts";
export { listRuns, readRuns } from "./list-runs.ts";
export { bundleNameOf } from "./open-archived.ts";
export { type BundleStores, type OpenedBundle, openBundle } from "./open-bundle.ts";
export { openKeptLoops } from "./open-kept-loops.ts";
export { isUnwritable, openFileKeys, openSigner, readPublicKeys } from "./open-keys.ts";
export { countOrigins, type OriginToWrite, readOrigin, writeOrigin } from "./origin.ts";
export { readPerson } from "./read-person.ts";
export {
  describeStanding,
  listUnanswered,
  type RunStanding,
  readStanding,
  waitsForPerson,
} from "./run-standing.ts";
export { takeSigningSecrets } from "./signing-secrets.ts";
export type { StoreFolder } from "./store-folder.ts";
export { readStoreTrust } from "./store-trust.ts";
export { watchLog } from "./watch-log.ts";
