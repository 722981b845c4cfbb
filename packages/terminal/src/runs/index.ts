export { renderAnswer } from "./drive/render-answer.ts";
export {
  renderDetached,
  renderStarted,
  renderToldEngine,
  type StartedRun,
  toStartedLine,
} from "./drive/render-started.ts";
export { renderStopped, toStoppedLine } from "./drive/render-stopped.ts";
export { renderProblems, renderReconciliation } from "./files/render-reconciliation.ts";
export { type MissingFolders, renderWorld, UNKNOWN_ROOTS } from "./files/render-world.ts";
export { COSTS_BY } from "./look/costs-by.ts";
export { type Costs, type CostsRow, renderCosts } from "./look/render-costs.ts";
export {
  type Explanation,
  renderExplanation,
  toJsonExplanation,
} from "./look/render-explanation.ts";
export { renderRun, type ShownRun, type ShownTurn, toJsonRun } from "./look/render-run.ts";
export { renderFollowedPlan } from "./plans/render-followed-plan.ts";
export { renderRollback, toJsonRollback } from "./plans/render-rollback.ts";
export { renderResumeCheck, toResumeLine } from "./resume/render-resume-check.ts";
export {
  describeObstacle,
  type ObstacleWords,
  renderObstacle,
} from "./state/describe-obstacle.ts";
export { describeRollbacks } from "./state/describe-rollbacks.ts";
export { isSealed, renderExport, sealedUntil } from "./state/render-export.ts";
export { describeHolder } from "./state/render-holder.ts";
export { PARTS_SHOWN_MAX, REASON_SHOWN_MAX, renderParts } from "./state/render-parts.ts";
export { type RunRow, renderRunList, toJsonRow } from "./state/render-runs.ts";
export { findFollowProblem, openWatch } from "./watch/open-watch.ts";
export { renderContext, toJsonContext } from "./watch/render-context.ts";
export { followTranscript, turnOf } from "./watch/render-transcript.ts";
export { type RunWatch, watchRun } from "./watch/watch-run.ts";
