export { type Acceptor, createAcceptor } from "../grammar/accept-events.ts";
export type { EventPoint } from "../log/event-point.ts";
export { base64Url, fromBase64, fromBase64Url, toBase64 } from "../receipt/base64.ts";
export { DEMO_KEY } from "../receipt/demo-key.ts";
export type { EffectApproval, EffectEnd, EffectRecord } from "../receipt/effect-record.ts";
export {
  type Envelope,
  type EnvelopeSignature,
  encodeForSigning,
  PAYLOAD_TYPE,
  receiptId,
} from "../receipt/envelope.ts";
export {
  committedOf,
  endOfMember,
  type FoldedGroup,
  factsOf,
  type GroupMember,
  type GroupPeople,
  outcomeOf,
  peopleOf,
  readGroups,
  undoKeyOf,
} from "../receipt/group-fold.ts";
export {
  ISSUERS,
  type Issuer,
  KEY_SET_MAX,
  keyIdOf,
  type PublicKey,
  parseKeys,
} from "../receipt/public-key.ts";
export {
  buildStatement,
  type GroupRecord,
  type GuidanceRef,
  type LoopDigest,
  PREDICATE_TYPE,
  type Predicate,
  STATEMENT_TYPE,
  type Statement,
  type StatementDraft,
} from "../receipt/statement.ts";
export type { ParentClaim } from "../run/parent-claim.ts";
export { GROUP_REST, GROUP_REST_VERSION, GROUP_TOOL } from "../tool-reference.ts";
export type { BundleContent } from "./check-content.ts";
export { FINDING_CODES, type Finding, type FindingCode, type FindingPlace } from "./finding.ts";
export type { VerdictWord } from "./judge-findings.ts";
export { TREE_BREADTH_MAX, TREE_DEPTH_MAX } from "./receipt-set.ts";
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
