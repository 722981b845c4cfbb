export { describeListening } from "./describe-listening.ts";
export { renderDeployCheck, renderDeployStatus } from "./render-deploy.ts";
export { renderKeyList, renderNotedKey } from "./render-keys.ts";
export { renderReloaded } from "./render-reloaded.ts";
export { renderFailed, renderRepaired } from "./render-repaired.ts";
export { renderReplay, renderReplayedTurn } from "./render-replay.ts";
export { renderDifferences, renderServer } from "./render-review.ts";
export { renderUnsealedArtifacts, renderVerdict } from "./render-verdict.ts";
export { EXPORTED_VIEWS, type ExportedView, renderView, VIEW_ENDINGS } from "./render-view.ts";
