export {
  createIngress,
  ENGINE_ERROR_CODES,
  EngineError,
  type EngineErrorCode,
  type Ingress,
  type IngressOptions,
  type Post,
} from "./ingress.ts";
export { LANE_OBJECT, LANES_DEFAULT } from "./lane-key.ts";
export { formatReleaseService, parseReleaseService } from "./release-service.ts";
export {
  createRunEndpoint,
  type EngineNotice,
  formatReleaseUri,
  type RunEndpointOptions,
} from "./run-endpoint.ts";
export { formatRunKey, parseRunKey, type RunKey } from "./run-key.ts";
export { createRunObject, type Delivery, RELEASE_METADATA, RUN_OBJECT } from "./run-object.ts";
export type { Releases, RunObjectOptions } from "./run-options.ts";
export { createSlots, type Slots, type SlotsOptions } from "./slots.ts";
export {
  ACTION_MAX_MS_DEFAULT,
  type EngineTiming,
  engineTiming,
  listSlowTools,
  RETRY_PAUSE_MS_MAX,
  type RunTiming,
  WAIT_INLINE_MS,
} from "./timing.ts";
