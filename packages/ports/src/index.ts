export {
  ARCHIVE_LIST_MAX,
  ARCHIVE_NAME_LENGTH_MAX,
  type Archive,
  checkArchiveName,
  isArchiveName,
} from "./archive/archive.ts";
export { memoryArchive } from "./archive/memory-archive.ts";
export type { Clock } from "./clock/clock.ts";
export { type ManualClock, manualClock } from "./clock/manual-clock.ts";
export { systemClock } from "./clock/system-clock.ts";
export { bindEventBus } from "./event-bus/bind-event-bus.ts";
export type { BusRow, BusRows, RowsToTake } from "./event-bus/bus-rows.ts";
export {
  BUS_ACKNOWLEDGE_MAX,
  BUS_EVENT_BYTES_MAX,
  BUS_GROUPS_MAX,
  BUS_PUBLISH_MAX,
  BUS_READ_MAX,
  BUS_TAKE_MAX,
  BUS_TOPIC_EVENTS_MAX,
  type BusEvent,
  type EventBus,
  type Taking,
} from "./event-bus/event-bus.ts";
export { memoryEventBus } from "./event-bus/memory-event-bus.ts";
export { beginTick, type Tick } from "./event-bus/tick.ts";
export type { EventSink } from "./event-sink/event-sink.ts";
export { memorySink } from "./event-sink/memory-sink.ts";
export { checkFolder, checkPath } from "./file-root/check-path.ts";
export {
  type Digester,
  type Expected,
  FILE_MODE_BITS,
  FILE_MODE_USUAL,
  type FileChange,
  type FileHint,
  type FileListing,
  type FileRead,
  type FileRoot,
  type FileScan,
  HINT_PATHS_MAX,
  type ListedEntry,
  type ListOptions,
  type NewFile,
  type OpenRoot,
  type ReadRefusal,
  ROOT_FILE_BYTES_MAX,
  type Roots,
  SCAN_ENTRIES_MAX,
  type ScanRequest,
  type SearchedTexts,
} from "./file-root/file-root.ts";
export { type DriftAnswer, findDrift, type ManagedFiles } from "./file-root/find-drift.ts";
export {
  type InspectedRootOptions,
  type InspectThing,
  inspectedRoot,
} from "./file-root/inspected-root.ts";
export { type MemoryFiles, memoryRoot } from "./file-root/memory-root.ts";
export type { Ids } from "./ids/ids.ts";
export { randomIds } from "./ids/random-ids.ts";
export { seededIds } from "./ids/seeded-ids.ts";
export type { LiveBus, LiveListener, LiveWatch } from "./live-bus/live-bus.ts";
export {
  LIVE_MESSAGES_MAX,
  LIVE_TEXT_LENGTH_MAX,
  memoryLiveBus,
} from "./live-bus/memory-live-bus.ts";
export {
  FINISH_REASONS,
  type FileToTake,
  type FinishReason,
  type Model,
  type ModelDelta,
  type ModelRequest,
  type ModelResult,
  type ModelTool,
  type ModelToolChoice,
  type ModelUsage,
} from "./model/model.ts";
export { isUnprocessed, ModelError } from "./model/model-error.ts";
export { type ScriptedModel, type ScriptedReply, scriptedModel } from "./model/scripted-model.ts";
export type {
  ObservedReceipt,
  ObservedRun,
  Observer,
  SealedReceipt,
} from "./observer/observer.ts";
export { memoryRateLimits } from "./rate-limits/memory-rate-limits.ts";
export type { ProviderLimits } from "./rate-limits/provider-limits.ts";
export {
  IN_FLIGHT_LOOK_MS,
  LINE_LENGTH_MAX,
  type LimitAnswer,
  type LimitRequest,
  type RateLimits,
} from "./rate-limits/rate-limits.ts";
export { memorySecrets } from "./secrets/memory-secrets.ts";
export { SECRET_ERROR_CODES, SecretError, type SecretErrorCode } from "./secrets/secret-error.ts";
export { SECRET_BYTES_MAX, SECRET_BYTES_MIN, type Secrets } from "./secrets/secrets.ts";
export { createMemorySigner, type MemorySigner } from "./signer/memory-signer.ts";
export { SEALING_MS_MAX, type Signer } from "./signer/signer.ts";
export {
  type Blob,
  type BlobStore,
  hasRunKey,
  INLINE_BLOB_BYTES_MAX,
} from "./stores/blob-store/blob-store.ts";
export type { CacheEntry, CallCache } from "./stores/call-cache/call-cache.ts";
export {
  type MemoryCallCache,
  memoryCallCache,
  REMEMBERED_CALLS_MAX,
} from "./stores/call-cache/memory-call-cache.ts";
export { checkAppend } from "./stores/event-log/check-append.ts";
export {
  type Append,
  type AppendAnswer,
  type EpochTaken,
  type EventLog,
  type FoundBeside,
  READ_EVENTS_MAX,
} from "./stores/event-log/event-log.ts";
export {
  type AnyForm,
  chainEvents,
  contentsOf,
  SAMPLE_CONTENTS,
  SAMPLE_DEFAULTS,
  SAMPLE_REF,
  type SamplePlace,
  sampleEvent,
} from "./stores/event-log/sample-event.ts";
export {
  GRAPH_ROWS_MAX,
  type GraphStore,
  type RewrittenGraph,
} from "./stores/graph-store/graph-store.ts";
export {
  INBOX_BODY_BYTES_MAX,
  INBOX_BYTES_MAX,
  INBOX_CANCELS_MAX,
  INBOX_KEY_LENGTH_MAX,
  INBOX_KINDS,
  INBOX_READ_MAX,
  INBOX_ROWS_MAX,
  type Inbox,
  type InboxMessage,
  type InboxRow,
  PUT_REFUSALS,
  type PutAnswer,
  type PutRefusal,
} from "./stores/inbox/inbox.ts";
export { type InboxLoad, isInboxFull } from "./stores/inbox/is-inbox-full.ts";
export { renderBody } from "./stores/inbox/render-body.ts";
export { type MemoryStores, memoryStores } from "./stores/memory-stores.ts";
export { OUTBOX_READ_MAX, type Outbox } from "./stores/outbox/outbox.ts";
export {
  LIST_RECEIPTS_MAX,
  type ReceiptStore,
  type StoredReceipt,
} from "./stores/receipt-store/receipt-store.ts";
export {
  type LeaseOwner,
  type MemoryLeases,
  memoryRunLeases,
} from "./stores/run-leases/memory-run-leases.ts";
export {
  LEASE_HEARTBEAT_MS,
  LEASE_SILENCE_MS,
  type LeaseAnswer,
  type LeaseHolder,
  type RunLease,
  type RunLeases,
} from "./stores/run-leases/run-leases.ts";
export {
  RUNS_LIST_MAX,
  type RunSnapshot,
  type RunStore,
  type WaitingRow,
} from "./stores/run-store/run-store.ts";
export { STORE_ERROR_CODES, StoreError, type StoreErrorCode } from "./stores/store-error.ts";
export type { Stores } from "./stores/stores.ts";
export { echoTool } from "./tool/echo-tool.ts";
export type { Tool, ToolBinding } from "./tool/tool.ts";
export { bindValues } from "./value-state/bind-values.ts";
export { InMemoryVSL } from "./value-state/in-memory-vsl.ts";
export { findStale, ifSnapshot } from "./value-state/memory-value-rows.ts";
export { VALUE_ERROR_CODES, ValueError, type ValueErrorCode } from "./value-state/value-error.ts";
export type {
  CommitAnswer,
  EntryRow,
  RowChange,
  ValueCommit,
  ValueRow,
  ValueRows,
} from "./value-state/value-rows.ts";
export {
  type ChangeAnswer,
  LOG_ENTRIES_READ_MAX,
  LOG_ENTRY_BYTES_MAX,
  type LogEntry,
  SNAPSHOT_BYTES_MAX,
  SNAPSHOT_KEYS_MAX,
  VALUE_CHANGES_BYTES_MAX,
  VALUE_CHANGES_MAX,
  VALUE_KEY_LENGTH_MAX,
  VALUE_LIST_MAX,
  type ValueChange,
  type ValueSnapshot,
  type ValueStateLayer,
  VERSION_NONE,
  type VersionedValue,
} from "./value-state/value-state.ts";
