export type { Door } from "./door.ts";
export {
  type AnsweredRequest,
  createServerMetrics,
  type ServerDoorOptions,
  type ServerMetrics,
} from "./server-metrics.ts";
export { type HealthParts, type HealthWatch, watchHealth } from "./watch-health.ts";
