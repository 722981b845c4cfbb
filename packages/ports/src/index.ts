export type { Clock } from "./clock/clock.ts";
export { type ManualClock, manualClock } from "./clock/manual-clock.ts";
export { systemClock } from "./clock/system-clock.ts";
export type { EventSink } from "./event-sink/event-sink.ts";
export { memorySink } from "./event-sink/memory-sink.ts";
export type { Ids } from "./ids/ids.ts";
export { randomIds } from "./ids/random-ids.ts";
export { seededIds } from "./ids/seeded-ids.ts";
export {
  FINISH_REASONS,
  type FinishReason,
  type Model,
  type ModelContent,
  type ModelMessage,
  type ModelRequest,
  type ModelResult,
  type ModelTool,
  type ModelUsage,
} from "./model/model.ts";
export { MODEL_ERROR_CODES, ModelError, type ModelErrorCode } from "./model/model-error.ts";
export { type ScriptedModel, type ScriptedReply, scriptedModel } from "./model/scripted-model.ts";
export { echoTool } from "./tool/echo-tool.ts";
export type { Tool } from "./tool/tool.ts";
