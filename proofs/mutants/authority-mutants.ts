import type { Mutant } from "./mutant.ts";

/** Faults in what grants, documents and secrets allow. */
export const authorityMutants: readonly Mutant[] = [
  {
    name: "runtime-only-declared",
    file: "packages/kernel/src/journal/push-claim.ts",
    find: "    runtimeMsOf(step),\n",
    replace: "",
  },
  {
    name: "tool-not-held-against-the-grant",
    file: "packages/protocol/src/grant/admit.ts",
    find: 'if (!grant.tools.includes(tool)) return { kind: "denied", reason: "tool-not-granted" };',
    replace: "",
  },
  {
    name: "scope-covers-all-below",
    file: "packages/protocol/src/grant/scope.ts",
    find: 'scope.lastIndexOf(":")',
    replace: 'scope.indexOf(":")',
  },
  {
    name: "term-wants-no-approval",
    file: "packages/protocol/src/grant/admit.ts",
    find: "approvals: [...new Set(used.flatMap(({ approvals }) => approvals))],",
    replace: "approvals: [],",
  },
  {
    name: "grant-of-another-grantor-is-within",
    file: "packages/protocol/src/grant/compare-grants.ts",
    find: 'if (inner.grantor !== outer.grantor) return "grantor";',
    replace: "",
  },
  {
    name: "absent-bound-is-within",
    file: "packages/protocol/src/grant/compare-grants.ts",
    find: "inner !== undefined && inner <= outer",
    replace: "inner === undefined || inner <= outer",
  },
  {
    name: "patterns-compared-backwards",
    file: "packages/protocol/src/grant/bounds.ts",
    find: "contains: containsGlob }",
    replace:
      "contains: (outer: string, inner: string, effort: Effort) => containsGlob(inner, outer, effort) }",
  },
  {
    name: "claim-held-against-an-ended-period",
    file: "packages/protocol/src/budget/budget.ts",
    find: "latest?.period === periodOf(period, at) ? latest.amounts : {}",
    replace: "latest?.amounts ?? {}",
  },
  {
    name: "period-without-end",
    file: "packages/protocol/src/events/fold-spending.ts",
    find: "latest?.period === period ? latest.amounts : {}",
    replace: "latest?.amounts ?? {}",
  },
  {
    name: "week-begins-on-sunday",
    file: "packages/protocol/src/budget/period.ts",
    find: "date.getUTCDay() || DAYS_OF_WEEK",
    replace: "date.getUTCDay()",
  },
  {
    name: "periods-not-asked-for",
    file: "packages/protocol/src/verify/follow-budget.ts",
    find: "isRight && capped.every((kind) => named[kind] !== undefined)",
    replace: "isRight",
  },
  {
    name: "handoff-settled-in-no-period",
    file: "packages/host/src/inbox/draft-result.ts",
    find: "      ...(periods === null ? {} : { periods }),\n",
    replace: "",
  },
  {
    name: "proof-believed",
    file: "packages/protocol/src/verify/follow-grants.ts",
    find: 'if (verdict?.kind === "proven") return [];',
    replace: 'if (verdict !== undefined && verdict.kind !== "wider") return [];',
  },
  {
    name: "guidance-changed-is-no-denial",
    file: "packages/host/src/turn/turn-guidance.ts",
    find: "await content.read(reference).catch(forgetChanged)",
    replace: "await content.read(reference)",
  },
  {
    name: "guidance-document-too-many",
    file: "packages/protocol/src/guidance/pin-guidance.ts",
    find: "documents.length > GUIDANCE_DOCUMENTS_MAX",
    replace: "documents.length > GUIDANCE_DOCUMENTS_MAX + 1",
  },
  {
    name: "guidance-from-above",
    file: "packages/protocol/src/guidance/check-guidance-ref.ts",
    find: 'if (segments.includes("..")) return "ref-outside";',
    replace: "",
  },
  {
    name: "secret-returned",
    file: "packages/kernel/src/actions/execute-tool.ts",
    find: "copyRedacted(await tool.run(input, context), OUTPUT_BYTES_MAX, redactor)",
    replace: "copyRedacted(await tool.run(input, context), OUTPUT_BYTES_MAX, noSecrets.redactor)",
  },
  {
    name: "secret-thrown",
    file: "packages/kernel/src/actions/execute-tool.ts",
    find: "throw hasSecrets(tool) ? redactError(error, redactor) : error;",
    replace: "throw error;",
  },
  {
    name: "secret-logged",
    file: "packages/kernel/src/actions/tool-context.ts",
    find: "readMessage(level, message, redactor)",
    replace: "readMessage(level, message, { text: (plain) => plain, value: (plain) => plain })",
  },
];
