export { describePattern, describeRest, proposePattern } from "./describe-standing.ts";
export { renderBrief } from "./render-brief.ts";
export { renderQuarantinedRow } from "./render-quarantined.ts";
export { renderRequest, renderRequestRow } from "./render-request.ts";
export { renderResume } from "./render-resume.ts";
export {
  CARDS_SHOWN_MAX,
  listWaiting,
  renderCards,
  renderSignals,
  renderUnknownRow,
  renderWaiting,
  toJsonClaim,
  toWaitingLine,
} from "./render-waiting.ts";
export { signalCommand } from "./signal-command.ts";
