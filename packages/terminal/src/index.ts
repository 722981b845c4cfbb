export { countOf } from "./screen/count-of.ts";
export { formatSpending } from "./screen/format-amounts.ts";
export { formatDuration } from "./screen/format-duration.ts";
export {
  formatLine,
  type Line,
  line,
  measureText,
  renderNext,
  renderNote,
  type Span,
  type Tone,
  toned,
} from "./screen/line.ts";
export { renderFailure } from "./screen/render-failure.ts";
export { renderDetail, renderField } from "./screen/render-field.ts";
export { renderFinding } from "./screen/render-finding.ts";
export { PROGRESS_MS, renderProgress } from "./screen/render-progress.ts";
export { renderStray, renderStuck } from "./screen/render-stray.ts";
export { renderJson, sanitizeText, writeJson } from "./screen/sanitize-text.ts";
export { createScreen, type Screen, type Terminal } from "./screen/screen.ts";
export { shortId } from "./screen/short-id.ts";
