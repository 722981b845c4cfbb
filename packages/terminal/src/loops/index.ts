export { type LoopBounds, renderBounds, toJsonBounds } from "./render-bounds.ts";
export { renderCase, renderDifferences } from "./render-case.ts";
export { renderLoopDetail, renderLoopList } from "./render-loops.ts";
export { listingCommand, renderFailure } from "./render-result.ts";
export { renderTraceEvent } from "./render-trace-event.ts";
export { type CallWatch, watchCall } from "./watch-call.ts";
