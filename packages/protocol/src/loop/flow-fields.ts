/** The fields of the nodes of a flow, and of what stands in them (spec/flow.md §1). */
import { type FieldRule, referenceFields } from "./check-fields.ts";
import type { NodeKind } from "./flow-spec.ts";

type FieldTable = Readonly<Record<string, FieldRule>>;

const sharedFields: FieldTable = {
  kind: { type: "text", required: true },
  name: { type: "name" },
  when: { type: "text" },
  summary: { type: "summary" },
  retry: { type: "object" },
  otherwise: { type: "object" },
  onError: { type: "errorRule" },
  critical: { type: "boolean" },
  timeoutMs: { type: "count" },
};
const fanOutFields: FieldTable = {
  join: { type: "join" },
  onItemError: { type: "itemErrorRule" },
  tolerate: { type: "tolerance" },
  concurrency: { type: "count" },
};
export const calledFields: FieldTable = {
  ...referenceFields,
  inputMapping: { type: "mapping", required: true },
};
export const nodeFields: Record<NodeKind, FieldTable> = {
  call: {
    ...sharedFields,
    ...calledFields,
    grantMapping: { type: "mapping" },
    preview: { type: "count" },
    cache: { type: "object" },
  },
  sequence: {
    ...sharedFields,
    nodes: { type: "objects", required: true },
    outputMapping: { type: "mapping" },
    group: { type: "boolean" },
  },
  parallel: { ...sharedFields, ...fanOutFields, branches: { type: "objects", required: true } },
  branch: {
    ...sharedFields,
    cases: { type: "objects", required: true },
    else: { type: "object" },
  },
  repeat: {
    ...sharedFields,
    body: { type: "object", required: true },
    until: { type: "text" },
    while: { type: "text" },
    max: { type: "count", required: true },
    onMax: { type: "limitRule" },
    scope: { type: "iterationScope" },
  },
  forEach: {
    ...sharedFields,
    ...fanOutFields,
    items: { type: "source", required: true },
    max: { type: "count", required: true },
    as: { type: "name" },
    body: { type: "object", required: true },
    scope: { type: "iterationScope" },
    spread: { type: "spread" },
  },
  machine: {
    ...sharedFields,
    initial: { type: "text", required: true },
    states: { type: "object", required: true },
    maxTransitions: { type: "count" },
    scope: { type: "iterationScope" },
  },
  wait: {
    ...sharedFields,
    for: { type: "object", required: true },
    withinMs: { type: "count" },
    onTimeout: { type: "limitRule" },
  },
};
export const cacheFields: FieldTable = {
  strategy: { type: "cache", required: true },
  ttlMs: { type: "count" },
};
export const retryFields: FieldTable = {
  strategy: { type: "retryStrategy", required: true },
  max: { type: "count" },
  delayMs: { type: "whole" },
  capMs: { type: "whole" },
  jitter: { type: "boolean" },
  on: { type: "codes" },
};
export const caseFields: FieldTable = {
  when: { type: "text", required: true },
  do: { type: "object", required: true },
};
export const stateFields: FieldTable = {
  body: { type: "object" },
  onEntry: { type: "object" },
  onExit: { type: "object" },
  terminal: { type: "boolean" },
  transitions: { type: "objects" },
};
export const transitionFields: FieldTable = {
  when: { type: "text" },
  next: { type: "text", required: true },
};
/** The things that a wait may be for; the first field tells which. */
export const waitedFields: Record<"signal" | "question" | "until", FieldTable> = {
  signal: { signal: { type: "text", required: true }, schema: { type: "schema" } },
  question: { question: { type: "object", required: true } },
  until: { until: { type: "source", required: true } },
};
