export { archiveContract } from "./archive/archive-contract.ts";
export { clockContract } from "./clock/clock-contract.ts";
export { bindContract, type ContractCase, type ContractOptions } from "./contract.ts";
export { type EventBusSubject, eventBusContract } from "./event-bus/event-bus-contract.ts";
export { eventSinkContract } from "./event-sink/event-sink-contract.ts";
export { type FileRootSubject, fileRootContract } from "./file-root/file-root-contract.ts";
export { idsContract } from "./ids/ids-contract.ts";
export { type LiveBusSubject, liveBusContract } from "./live-bus/live-bus-contract.ts";
export { modelContract } from "./model/model-contract.ts";
export { type RateLimitsSubject, rateLimitsContract } from "./rate-limits/rate-limits-contract.ts";
export { type SecretsSubject, secretsContract } from "./secrets/secrets-contract.ts";
export { type SignerSubject, signerContract } from "./signer/signer-contract.ts";
export { blobStoreContract } from "./stores/blob-store/blob-store-contract.ts";
export { callCacheContract, sampleEntry } from "./stores/call-cache/call-cache-contract.ts";
export { eventLogContract } from "./stores/event-log/event-log-contract.ts";
export { type LogStep, runSteps } from "./stores/event-log/run-steps.ts";
export { graphStoreContract } from "./stores/graph-store/graph-store-contract.ts";
export { inboxContract } from "./stores/inbox/inbox-contract.ts";
export { outboxContract } from "./stores/outbox/outbox-contract.ts";
export { receiptStoreContract } from "./stores/receipt-store/receipt-store-contract.ts";
export {
  type RunLeasesSubject,
  runLeasesContract,
} from "./stores/run-leases/run-leases-contract.ts";
export { runStoreContract } from "./stores/run-store/run-store-contract.ts";
export {
  headAfter,
  sampleAppend,
  sampleBlob,
  sampleMessage,
  sampleReceipt,
  sampleWaiting,
} from "./stores/sample-append.ts";
export type { StoresSubject } from "./stores/stores-subject.ts";
export { toolContract } from "./tool/tool-contract.ts";
export type { ValueStateSubject } from "./value-state/value-contract.ts";
export { valueStateContract } from "./value-state/value-state-contract.ts";
