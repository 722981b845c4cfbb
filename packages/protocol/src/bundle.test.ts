/**
 * Checks what each entry of the package imports, and that it loads without Node: the bundle runs in
 * an empty context, as in a browser without a process.
 */
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build, type OutputChunk } from "rolldown";
import { beforeAll, describe, expect, test } from "vitest";
import { digestOf } from "./digest.ts";

const source = fileURLToPath(new URL("./", import.meta.url));

async function bundleEntry(specifier: string): Promise<OutputChunk> {
  const { output } = await build({
    cwd: source,
    input: specifier,
    platform: "browser",
    resolve: { conditionNames: ["turnseal-source", "import", "default"] },
    // An unresolved import would become an external one: it must fail instead.
    onLog: (level, log) => {
      if (level === "warn") throw new Error(log.message);
    },
    output: { format: "iife", name: "bundle" },
    write: false,
  });
  expect(output).toHaveLength(1);
  return output[0];
}

/** The source files that end up in the bundle, from `src`. */
function listFiles(chunk: OutputChunk): string[] {
  return Object.entries(chunk.modules)
    .filter(([id, { renderedLength }]) => id.startsWith(source) && renderedLength > 0)
    .map(([id]) => id.slice(source.length))
    .sort();
}

function evaluate(chunk: OutputChunk, expression: string): unknown {
  // The one thing that is not part of the language: every browser has it.
  const context = createContext({ TextEncoder });
  expect(runInContext("typeof process + typeof require", context)).toBe("undefinedundefined");
  return runInContext(`${chunk.code}\n${expression}`, context);
}

const nouns = [
  "actor.ts",
  "approval/approval.ts",
  "approval/pattern.ts",
  "approval/plan-approval.ts",
  "approval/standing.ts",
  "budget/budget.ts",
  "budget/period.ts",
  "budget/prices.ts",
  "budget/share-budget.ts",
  "call-error.ts",
  "canonical-json.ts",
  "compensation.ts",
  "conversation/model-failure.ts",
  "copy-json.ts",
  "cut-reason.ts",
  "digest.ts",
  "error-place.ts",
  "error.ts",
  "events/action-claim.ts",
  "events/action-end.ts",
  "events/action-events.ts",
  "events/action-name.ts",
  "events/added-context.ts",
  "events/artifact.ts",
  "events/cache.ts",
  "events/call.ts",
  "events/content-fields.ts",
  "events/documents.ts",
  "events/event-actors.ts",
  "events/event-types.ts",
  "events/event.ts",
  "events/fields.ts",
  "events/flow.ts",
  "events/fold-spending.ts",
  "events/handed.ts",
  "events/log.ts",
  "events/note.ts",
  "events/parse-event.ts",
  "events/people.ts",
  "events/plan.ts",
  "events/run.ts",
  "events/signal.ts",
  "events/turn.ts",
  "find-nearest.ts",
  "grant/admit.ts",
  "grant/attenuate.ts",
  "grant/authority-names.ts",
  "grant/bounds.ts",
  "grant/compare-grants.ts",
  "grant/glob.ts",
  "grant/grant.ts",
  "grant/needs.ts",
  "grant/place-patterns.ts",
  "grant/scope.ts",
  "grant/term.ts",
  "guidance/check-guidance-ref.ts",
  "guidance/check-guidance.ts",
  "guidance/fits-guidance.ts",
  "guidance/guidance.ts",
  "guidance/pin-guidance.ts",
  "guidance/summarize-turn.ts",
  "hmac.ts",
  "ids.ts",
  "instant.ts",
  "log/blob-ref.ts",
  "log/chain.ts",
  "log/raw-event.ts",
  "loop/cache-spec.ts",
  "loop/check-fields.ts",
  "loop/check-flow-shape.ts",
  "loop/check-notes.ts",
  "loop/check-settings.ts",
  "loop/context-spec.ts",
  "loop/field-type.ts",
  "loop/flow-fields.ts",
  "loop/flow-spec.ts",
  "loop/list-backends.ts",
  "loop/loop-def.ts",
  "loop/model-settings.ts",
  "loop/note-spec.ts",
  "loop/parse-loop-def.ts",
  "loop/path.ts",
  "loop/reserved-names.ts",
  "loop/rounds.ts",
  "loop/semver.ts",
  "loop/template.ts",
  "loop/value-condition.ts",
  "namespaced.ts",
  "outcomes.ts",
  "plain-text.ts",
  "plan/compile-plan.ts",
  "plan/exact-input.ts",
  "plan/list-levels.ts",
  "plan/parse-plan.ts",
  "plan/plan-document.ts",
  "plan/rollback-head.ts",
  "plan/step-sources.ts",
  "pointer.ts",
  "policy/decision.ts",
  "policy/parse-policy.ts",
  "policy/policy.ts",
  "policy/rule-fields.ts",
  "policy/standing-terms.ts",
  "receipt/base64.ts",
  "receipt/public-key.ts",
  "reconcile-way.ts",
  "resolutions.ts",
  "run/parse-bounds.ts",
  "run/parse-schedules.ts",
  "run/pause.ts",
  "run/run-spec.ts",
  "run/trigger.ts",
  "sha256.ts",
  "shape.ts",
  "tenant.ts",
  "tool-reference.ts",
];
const calls = [
  "budget/budget.ts",
  "budget/period.ts",
  "canonical-json.ts",
  "error.ts",
  "events/action-end.ts",
  "events/artifact.ts",
  "events/event-types.ts",
  "events/event.ts",
  "events/fields.ts",
  "events/log.ts",
  "instant.ts",
  "namespaced.ts",
  "reconcile-way.ts",
  "resolutions.ts",
  "shape.ts",
  "tool-reference.ts",
  "trace/pick-call-events.ts",
  "trace/to-trace.ts",
  "trace/trace-event.ts",
];
const sessions = [
  "canonical-json.ts",
  "copy-json.ts",
  "files/file-limits.ts",
  "files/file-ref.ts",
  "files/file-type.ts",
  "files/image-size.ts",
  "instant.ts",
  "session/event-content.ts",
  "session/event-envelope.ts",
  "session/event-types.ts",
  "session/parse-envelope.ts",
  "shape.ts",
];
const authoring = [
  "approval/tool-gate.ts",
  "authoring/authoring-error.ts",
  "authoring/build-of.ts",
  "authoring/compensate.ts",
  "authoring/compute.ts",
  "authoring/define-composite.ts",
  "authoring/define-prompt.ts",
  "authoring/define-tool.ts",
  "authoring/flow/cel.ts",
  "authoring/flow/create-flow.ts",
  "authoring/format-operand.ts",
  "authoring/group-rest.ts",
  "authoring/json-schema-source.ts",
  "authoring/loop.ts",
  "authoring/loops-tool-error.ts",
  "authoring/loops-tool.ts",
  "authoring/mapping-fields.ts",
  "authoring/note-taker.ts",
  "authoring/output-reader.ts",
  "authoring/plan-starter.ts",
  "authoring/reference.ts",
  "authoring/rollback-rest.ts",
  "authoring/table/define-table.ts",
  "authoring/table/table-flows.ts",
  "authoring/tool-error.ts",
  "authoring/tool-schema.ts",
  "authoring/with-used.ts",
  "canonical-json.ts",
  "compensation.ts",
  "error.ts",
  "loop/note-spec.ts",
  "loop/path.ts",
  "loop/refinement.ts",
  "loop/template.ts",
  "outcomes.ts",
  "sha256.ts",
  "shape.ts",
  "tool-reference.ts",
];
const receipts = [
  "actor.ts",
  "approval/approval.ts",
  "approval/pattern.ts",
  "approval/plan-approval.ts",
  "approval/standing.ts",
  "budget/budget.ts",
  "budget/period.ts",
  "budget/share-budget.ts",
  "call-error.ts",
  "canonical-json.ts",
  "compensation.ts",
  "copy-json.ts",
  "digest.ts",
  "error.ts",
  "events/action-claim.ts",
  "events/action-end.ts",
  "events/added-context.ts",
  "events/artifact.ts",
  "events/cache.ts",
  "events/call.ts",
  "events/content-fields.ts",
  "events/documents.ts",
  "events/event-actors.ts",
  "events/event-types.ts",
  "events/fields.ts",
  "events/flow.ts",
  "events/fold-spending.ts",
  "events/handed.ts",
  "events/log.ts",
  "events/note.ts",
  "events/parse-event.ts",
  "events/people.ts",
  "events/plan.ts",
  "events/run.ts",
  "events/signal.ts",
  "events/turn.ts",
  "find-nearest.ts",
  "finding-codes.ts",
  "grammar/accept-events.ts",
  "grammar/grammar.json",
  "grammar/grammar.ts",
  "grant/attenuate.ts",
  "grant/authority-names.ts",
  "grant/bounds.ts",
  "grant/compare-grants.ts",
  "grant/glob.ts",
  "grant/grant.ts",
  "grant/needs.ts",
  "grant/place-patterns.ts",
  "grant/scope.ts",
  "grant/term.ts",
  "hmac.ts",
  "instant.ts",
  "log/chain.ts",
  "log/raw-event.ts",
  "loop/cache-spec.ts",
  "loop/context-spec.ts",
  "namespaced.ts",
  "outcomes.ts",
  "plain-text.ts",
  "policy/decision.ts",
  "policy/policy.ts",
  "policy/standing-terms.ts",
  "receipt/base64.ts",
  "receipt/demo-key.ts",
  "receipt/effect-record.ts",
  "receipt/envelope.ts",
  "receipt/group-fold.ts",
  "receipt/public-key.ts",
  "receipt/statement.ts",
  "reconcile-way.ts",
  "resolutions.ts",
  "run/run-spec.ts",
  "run/trigger.ts",
  "sha256.ts",
  "shape.ts",
  "tool-reference.ts",
  "verify/check-content.ts",
  "verify/check-events.ts",
  "verify/check-handoffs.ts",
  "verify/check-seal.ts",
  "verify/finding.ts",
  "verify/follow-approvals.ts",
  "verify/follow-artifacts.ts",
  "verify/follow-budget.ts",
  "verify/follow-caches.ts",
  "verify/follow-effects.ts",
  "verify/follow-grants.ts",
  "verify/follow-groups.ts",
  "verify/follow-handed.ts",
  "verify/follow-items.ts",
  "verify/follow-parents.ts",
  "verify/follow-planned.ts",
  "verify/follow-plans.ts",
  "verify/follow-standing.ts",
  "verify/follow-stop.ts",
  "verify/follow-takings.ts",
  "verify/follow-threads.ts",
  "verify/follow-triggers.ts",
  "verify/follow-turns.ts",
  "verify/handoff-facts.ts",
  "verify/item-names.ts",
  "verify/judge-findings.ts",
  "verify/match-statement.ts",
  "verify/parse-envelope.ts",
  "verify/read-content.ts",
  "verify/receipt-set.ts",
  "verify/render-canonically.ts",
  "verify/same-claim.ts",
  "verify/statement-shape.ts",
  "verify/verify-bundle.ts",
  "verify/verify-receipt.ts",
  "verify/verify-run.ts",
  "verify/verify-set.ts",
  "verify/verify-signature.ts",
  "verify/verify-tree.ts",
];

describe.each([
  ["@turnseal/protocol", nouns],
  ["@turnseal/protocol/shape", ["canonical-json.ts", "shape.ts"]],
  ["@turnseal/protocol/trace", calls],
  ["@turnseal/protocol/events", sessions],
  ["@turnseal/protocol/authoring", authoring],
  ["@turnseal/protocol/receipts", receipts],
])("%s", (specifier, files) => {
  let chunk: OutputChunk;
  beforeAll(async () => {
    chunk = await bundleEntry(specifier);
  });

  test("imports nothing", () => {
    expect(chunk.imports).toEqual([]);
    expect(chunk.dynamicImports).toEqual([]);
    expect(chunk.code).not.toMatch(/\b(require|import)\s*\(|from\s*["']node:/);
  });

  test("consists of these files and no others", () => {
    expect(Object.keys(chunk.modules).filter((id) => id.includes("node_modules/"))).toEqual([]);
    expect(listFiles(chunk)).toEqual(files);
  });

  test("loads in an empty context", () => {
    expect(evaluate(chunk, "typeof bundle")).toBe("object");
  });
});

test("@turnseal/protocol/streaming has types and no code", async () => {
  const chunk = await bundleEntry("@turnseal/protocol/streaming");
  expect(listFiles(chunk)).toEqual([]);
  expect(chunk.imports).toEqual([]);
});

test("a digest is the same without Node's crypto", async () => {
  const chunk = await bundleEntry("@turnseal/protocol");
  const value = { b: ["ä", 1e21, null], a: { text: "💡".repeat(100) } };
  const digest = evaluate(chunk, `bundle.digestOf(${JSON.stringify(value)})`);
  expect(digest).toBe(digestOf(value));
});

test("the trace view works without Node", async () => {
  const chunk = await bundleEntry("@turnseal/protocol/trace");
  const event = { type: "call.completed", at: "x", call: "c", content: { durationMs: 3 } };
  const trace = evaluate(chunk, `JSON.stringify(bundle.toTrace([${JSON.stringify(event)}]))`);
  expect(trace).toBe(
    '[{"callId":"c","ts":"x","type":"call.completed","payload":{"totalDurationMs":3}}]',
  );
});
