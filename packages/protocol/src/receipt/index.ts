export { base64Url, fromBase64, fromBase64Url, toBase64 } from "./base64.ts";
export type { BundleContent } from "./check-content.ts";
export { DEMO_KEY } from "./demo-key.ts";
export type { EffectApproval, EffectEnd, EffectRecord, EventPoint } from "./effect-record.ts";
export {
  type Envelope,
  type EnvelopeSignature,
  encodeForSigning,
  PAYLOAD_TYPE,
  receiptId,
} from "./envelope.ts";
export { FINDING_CODES, type Finding, type FindingCode, type FindingPlace } from "./finding.ts";
export type { VerdictWord } from "./judge-findings.ts";
export {
  ISSUERS,
  type Issuer,
  KEY_SET_MAX,
  keyIdOf,
  type PublicKey,
  parseKeys,
} from "./public-key.ts";
export { TREE_BREADTH_MAX, TREE_DEPTH_MAX } from "./receipt-set.ts";
export {
  buildStatement,
  type GuidanceRef,
  type LoopDigest,
  type ParentClaim,
  PREDICATE_TYPE,
  type Predicate,
  STATEMENT_TYPE,
  type Statement,
  type StatementDraft,
} from "./statement.ts";
export { isRunBundle, type RunBundle, verifyBundle } from "./verify-bundle.ts";
export {
  RECEIPT_BYTES_MAX,
  type ReceiptVerdict,
  type VerifiedReceipt,
  verifyReceipt,
} from "./verify-receipt.ts";
export { type RunToVerify, type RunVerdict, verifyRun } from "./verify-run.ts";
export { type SetVerdict, verifySet } from "./verify-set.ts";
export type { VerifyOptions } from "./verify-signature.ts";
export { createTree, type Tree, type TreeVerdict, verifyTree } from "./verify-tree.ts";
