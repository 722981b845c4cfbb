/** One claim of each kind, as a run records it. */
import type { ClaimedHandoff, ClaimedModel, ClaimedTool } from "./action-claim.ts";

const digest = `hmac-sha256:${"a".repeat(64)}` as const;
const request = { digest, size: 2, mediaType: "application/json" };
const terms = {
  key: "key",
  digest,
  effect: "idempotent",
  reserve: {},
  deadlineAt: "2026-01-01T00:00:00.000Z",
} as const;

const model: ClaimedModel = {
  ...terms,
  action: "model",
  effect: "repeatable",
  backend: "openai",
  model: "small",
  promptLength: 1,
  context: { previous: null, added: [], strategy: "append" },
};
const tool: ClaimedTool = {
  ...terms,
  action: "tool",
  tool: "local.pay",
  build: "1",
  term: "local.pay",
  request,
};
const grant = { grantor: "me", tools: [], budget: {} };
const slice = `sha256:${"b".repeat(64)}` as const;
const handoff: ClaimedHandoff = {
  ...terms,
  action: "handoff",
  target: "triage",
  targetVersion: "1.0.0",
  child: "child",
  grant,
  slice,
  proof: {
    algorithm: "turnseal.subset.v1",
    result: "subset",
    compared: [],
    parentDigest: slice,
  },
  bounds: { turnsMax: 1, failuresMax: 1, resumesMax: 1 },
  request,
};

export const sampleClaims = { model, tool, handoff };
