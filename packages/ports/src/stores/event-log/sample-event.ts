/**
 * Events for tests, as the kernel and the host write them: a test that wants a field which they do
 * not write does not compile.
 */
import {
  type BlobRef,
  type ContentOf,
  type EventOf,
  hashEvent,
  type LoopEvent,
  type LoopEventType,
} from "@turnseal/protocol";
import type { LogEventType } from "@turnseal/protocol/trace";

/** Where a sample event stands; what is left out is made up. */
export type SamplePlace = Partial<
  Pick<
    EventOf<"log">,
    "run" | "sequence" | "epoch" | "at" | "actor" | "turn" | "call" | "parentCall" | "hash"
  >
>;

export function sampleEvent<Type extends LoopEventType>(
  type: Type,
  content: ContentOf<Type>,
  place: SamplePlace = {},
): EventOf<Type> {
  const [family] = type.split(".");
  const isOfRun = family === "run" || family === "signal";
  const inCall = isOfRun || family === "turn" ? {} : { call: "call" };
  const event = {
    id: "11111111-1111-4111-8111-111111111111",
    run: "run",
    sequence: 1,
    epoch: 1,
    at: "2026-01-31T12:00:00.000Z",
    actor: { kind: "kernel", id: "kernel" },
    ...(isOfRun ? {} : { turn: 1 }),
    ...inCall,
    type,
    content,
    previous: "",
    hash: "",
    ...place,
  };
  // The content fits the type, and so does the place.
  return event as unknown as EventOf<Type>;
}

/** The same events one after the other, as the log of a run has them. */
export function chainEvents(
  events: readonly LoopEvent[],
  { run, epoch }: { readonly run: string; readonly epoch: number },
): LoopEvent[] {
  let previous = "";
  return events.map((event, index) => {
    const { hash: _, ...unsigned } = { ...event, run, epoch, sequence: index + 1, previous };
    previous = hashEvent(unsigned);
    return {
      ...event,
      run,
      epoch,
      sequence: index + 1,
      previous: unsigned.previous,
      hash: previous,
    };
  });
}

export const SAMPLE_REF: BlobRef = {
  digest: `hmac-sha256:${"a".repeat(64)}`,
  size: 2,
  mediaType: "application/json",
};

const digest = `sha256:${"b".repeat(64)}` as const;
const hash = "c".repeat(64);
const at = "2026-01-31T12:00:00.000Z";
const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
const proof = {
  algorithm: "turnseal.subset.v1",
  result: "subset",
  compared: [],
  parentDigest: digest,
} as const;
const bounds = { turnsMax: 8, failuresMax: 1, resumesMax: 20 };
const spending = { settled: {}, assumed: {}, open: {} };
const parts = {
  tool: { action: "tool", tool: "local.pay", build: "1", term: "local.pay" },
  handoff: { action: "handoff", target: "triage", slice: digest, proof, bounds },
} as const;
const claim = {
  key: "key",
  digest: SAMPLE_REF.digest,
  effect: "once",
  reserve: { toolCalls: 1 },
  deadlineAt: at,
} as const;
const end = {
  key: "key",
  claim: 1,
  status: "ok",
  durationMs: 1,
  reserve: { toolCalls: 1 },
  spent: { toolCalls: 1 },
} as const;
const request = {
  ...{ key: "key", digest: SAMPLE_REF.digest, loop: "pay", version: "1.0.0", grant: digest },
  ...{ reserve: { toolCalls: 1 }, request: SAMPLE_REF, approvers: 1, decideBy: at },
  effect: "once",
  onReject: "stop",
  useWithinMs: 60_000,
} as const;

type NamesOf<Content> = Content extends unknown ? keyof Content : never;
type FieldOf<Content, Name> = Content extends unknown
  ? Name extends keyof Content
    ? Content[Name]
    : undefined
  : never;

/** Any field that a content of the type has in some form: for a test that knows in which. */
export type AnyForm<Type extends LoopEventType> = {
  readonly [Name in NamesOf<ContentOf<Type>>]: FieldOf<ContentOf<Type>, Name>;
};

/** The contents of the events of a type, in order. */
export function contentsOf<Type extends LoopEventType>(
  events: readonly LoopEvent[],
  type: Type,
): AnyForm<Type>[] {
  // A field that is not there reads as undefined, as its type has it.
  return events
    .filter((event) => event.type === type)
    .map(({ content }) => content as unknown as AnyForm<Type>);
}

type FormOf<Type extends LoopEventType, Tag> = Extract<ContentOf<Type>, Tag>;

/** The smallest content of each event, by its form. */
export interface SampleContents {
  readonly runStarted: ContentOf<"run.started">;
  readonly runDecided: ContentOf<"run.decided">;
  readonly signal: FormOf<"signal.received", { readonly kind: "signal" }>;
  readonly cancel: FormOf<"signal.received", { readonly kind: "cancel" }>;
  readonly refused: FormOf<"signal.received", { readonly kind: "refused" }>;
  readonly turnStarted: ContentOf<"turn.started">;
  readonly turnClosed: ContentOf<"turn.closed">;
  readonly callStarted: ContentOf<"call.started">;
  readonly callErrored: ContentOf<"call.errored">;
  readonly claimedModel: FormOf<"action.claimed", { readonly action: "model" }>;
  readonly claimedTool: FormOf<"action.claimed", { readonly action: "tool" }>;
  readonly claimedHandoff: FormOf<"action.claimed", { readonly action: "handoff" }>;
  readonly settledModel: FormOf<"action.settled", { readonly action: "model" }>;
  readonly settledTool: FormOf<"action.settled", { readonly action: "tool" }>;
  readonly settledHandoff: FormOf<"action.settled", { readonly action: "handoff" }>;
  readonly unknown: ContentOf<"action.unknown">;
  readonly resolved: ContentOf<"action.resolved">;
  readonly hit: ContentOf<"cache.hit">;
  readonly requestedTool: FormOf<"approval.requested", { readonly action: "tool" }>;
  readonly requestedHandoff: FormOf<"approval.requested", { readonly action: "handoff" }>;
  readonly decided: ContentOf<"approval.decided">;
  readonly asked: ContentOf<"question.asked">;
  readonly answered: ContentOf<"question.answered">;
}

export const SAMPLE_CONTENTS: SampleContents = {
  runStarted: {
    key: "start",
    spec: { loop: "pay", version: "1.0.0", grant, bounds, pinned: {} },
    input: SAMPLE_REF,
  },
  runDecided: { decision: "continue", reason: "goal-not-reached", receipt: null },
  signal: { kind: "signal", key: "s", receivedAt: at, name: "note", payload: SAMPLE_REF },
  cancel: { kind: "cancel", key: "c", receivedAt: at },
  refused: { kind: "refused", key: "r", receivedAt: at, of: "start", why: "start-unreadable" },
  turnStarted: {
    ...{ semantics: 1, key: "run:1", loop: "pay", version: "1.0.0", grant, spending },
    ...{ previousReceipt: null, input: SAMPLE_REF },
  },
  turnClosed: { outcome: "completed", spending, key: { id: "key", issuer: "development" } },
  callStarted: { loop: "pay", version: "1.0.0", digest },
  callErrored: {
    code: "TOOL_FAILED",
    message: "local.pay failed",
    details: { lsr: "EXECUTION_FAILED" },
  },
  claimedModel: {
    ...{ ...claim, action: "model", effect: "repeatable", backend: "openai", model: "small" },
    ...{ promptLength: 1, context: { previous: null, added: [], strategy: "append" } },
  },
  claimedTool: { ...claim, ...parts.tool, request: SAMPLE_REF },
  claimedHandoff: {
    ...{ ...claim, ...parts.handoff, effect: "idempotent", grant, child: "child" },
    request: SAMPLE_REF,
  },
  settledModel: { ...end, action: "model", finishReason: "stop", result: SAMPLE_REF },
  settledTool: { ...end, action: "tool", result: SAMPLE_REF },
  settledHandoff: { ...end, action: "handoff", stopped: "goal-reached", result: SAMPLE_REF },
  unknown: { action: "tool", key: "key", claim: 1, name: "local.pay", status: "orphaned" },
  resolved: { key: "key", claim: 1, resolution: "retry", reserve: { toolCalls: 1 } },
  hit: {
    ...{ key: SAMPLE_REF.digest, strategy: "ephemeral", result: SAMPLE_REF },
    from: { run: "run", turn: 1, call: "call" },
  },
  requestedTool: { ...request, ...parts.tool },
  requestedHandoff: { ...request, ...parts.handoff },
  decided: { key: "key", approval: 1, hash, choice: "approve", roles: [], receivedAt: at },
  asked: {
    ...{ key: "key", digest: SAMPLE_REF.digest, loop: "ask", version: "1.0.0", to: "person" },
    request: SAMPLE_REF,
  },
  answered: { key: "key", question: 1, hash, roles: [], receivedAt: at, answer: SAMPLE_REF },
};

/** Contents of an event of each native type, where they do not matter. */
export const SAMPLE_DEFAULTS: { readonly [Type in LogEventType]: ContentOf<Type> } = {
  "run.started": SAMPLE_CONTENTS.runStarted,
  "run.decided": SAMPLE_CONTENTS.runDecided,
  "run.blocked": { cause: "tool-missing", what: "local.pay" },
  "run.stopped": { reason: "goal-reached" },
  "run.resolved": { key: "key", claim: 1, claimHash: hash, resolution: "happened" },
  "signal.received": SAMPLE_CONTENTS.signal,
  "turn.started": SAMPLE_CONTENTS.turnStarted,
  "turn.denied": { reason: "grant-expired" },
  "turn.resumed": { resumes: 1 },
  "turn.waiting": { for: "person" },
  "turn.closed": SAMPLE_CONTENTS.turnClosed,
  "call.started": SAMPLE_CONTENTS.callStarted,
  "call.input.validated": { durationMs: 1 },
  "call.output.validated": { durationMs: 1 },
  "call.completed": { durationMs: 1 },
  "call.errored": SAMPLE_CONTENTS.callErrored,
  "child.started": { child: "child", loop: "pay", step: 0 },
  "child.completed": { child: "child", status: "ok" },
  "fanout.fixed": { path: "/flow", items: 2, list: SAMPLE_REF },
  "item.closed": { path: "/flow", index: 0, status: "ok" },
  "step.retried": { path: "/flow", attempt: 2, delayMs: 1_000, code: "TOOL_FAILED" },
  "step.skipped": { path: "/flow", because: "condition" },
  "group.closed": {
    path: "/flow",
    outcome: "none",
    members: [{ key: "0".repeat(64), end: "not-done" }],
  },
  "action.claimed": SAMPLE_CONTENTS.claimedTool,
  "action.settled": SAMPLE_CONTENTS.settledTool,
  "action.unknown": SAMPLE_CONTENTS.unknown,
  "action.resolved": SAMPLE_CONTENTS.resolved,
  "cache.hit": SAMPLE_CONTENTS.hit,
  "approval.requested": SAMPLE_CONTENTS.requestedTool,
  "approval.decided": SAMPLE_CONTENTS.decided,
  "approval.expired": { key: "key", hash, approval: 1 },
  "question.asked": SAMPLE_CONTENTS.asked,
  "question.answered": SAMPLE_CONTENTS.answered,
  "plan.proposed": {
    document: SAMPLE_REF,
    steps: [{ path: "/flow/nodes/1", loop: "loop", after: [] }],
  },
  "plan.decided": { plan: 1, hash: "0".repeat(64), decision: "approved" },
  "plan.closed": { plan: 1, hash: "0".repeat(64), status: "completed" },
  "note.added": {
    ...{ scope: "/", note: "note", key: "task", text: SAMPLE_REF },
    ...{ by: "tool", lifetime: "manual" },
  },
  "note.expired": { scope: "/", note: "note", why: "done" },
  "drift.reconciled": {
    ...{ key: "key", receivedAt: at, way: "graph-wins", root: "site", files: 1 },
    difference: SAMPLE_REF,
  },
  "artifact.adopted": {
    ...{ key: "key", receivedAt: at },
    artifacts: { root: "site", after: SAMPLE_REF, files: 1, changes: SAMPLE_REF, changed: 1 },
  },
  log: { level: "info", message: SAMPLE_REF },
};
