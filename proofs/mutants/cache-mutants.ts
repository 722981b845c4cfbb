import type { Mutant } from "./mutant.ts";

const cache = "packages/kernel/src/cache";

/** Faults in what calls are answered with that were answered before. */
export const cacheMutants: readonly Mutant[] = [
  {
    name: "cache-hit-across-grants",
    file: `${cache}/name-call.ts`,
    find: "grant: pickAuthority(grant) };",
    replace: "grant: pickAuthority(undefined) };",
  },
  {
    name: "cache-hit-across-inputs",
    file: `${cache}/name-call.ts`,
    find: "below, input, read,",
    replace: "below, input: null, read,",
  },
  {
    name: "cache-hit-across-loops",
    file: `${cache}/name-call.ts`,
    find: "return { loop: loop.digest, below",
    replace: "return { loop: loop.definition.kind, below",
  },
  {
    name: "cache-hit-with-other-guidance",
    file: `${cache}/name-call.ts`,
    find: "[...documents, ...summaries]",
    replace: "[...summaries]",
  },
  {
    name: "cache-entry-of-a-budget",
    file: `${cache}/name-call.ts`,
    find: "scopes: [...scopes].sort(),",
    replace: "scopes: [...scopes, canonicalize(grant?.budget ?? {})].sort(),",
  },
  {
    name: "cache-entry-expired-in-memory",
    file: "packages/ports/src/stores/call-cache/memory-call-cache.ts",
    find: "if (nowMs < entry.expiresAtMs) return entry;",
    replace: "if (nowMs > 0) return entry;",
  },
  {
    name: "cache-entry-expired-in-the-store",
    file: "packages/adapters/src/sqlite/statements/cache-statements.ts",
    find: "where name = ? and expires_at > ?",
    replace: "where name = ? and 0 < ?",
  },
  {
    name: "cache-keeps-what-failed",
    file: "packages/kernel/src/call/run-call.ts",
    find: 'if (produced.kind !== "ok") return produced;',
    replace:
      'if (produced.kind === "error") await world.memory?.caches.remember(frame, {});\n  if (produced.kind !== "ok") return produced;',
  },
  {
    name: "cache-hit-charged",
    file: "packages/protocol/src/events/fold-spending.ts",
    find: '    case "turn.started": {',
    replace:
      '    case "cache.hit":\n      return { ...spending, settled: addAmounts(spending.settled, { modelCalls: 1 }) };\n    case "turn.started": {',
  },
  {
    name: "cache-asked-for-a-denied-tool",
    file: `${cache}/call-caches.ts`,
    find: "return action === undefined || judgeStep",
    replace: "return action !== null || judgeStep",
  },
  {
    name: "cache-asked-under-rules",
    file: `${cache}/call-caches.ts`,
    find: "return reach.isPure && !(isPrompt && reach.hasTools && hasRules);",
    replace: "return reach.isPure && (isPrompt || reach.hasTools || hasRules);",
  },
  {
    name: "cache-hit-not-taken-from-the-record",
    file: "packages/kernel/src/resume/recorded-turn.ts",
    find: 'if (next?.type !== "cache.hit") return undefined;',
    replace: 'if (next?.type !== "cache.hit" || call !== "") return undefined;',
  },
  {
    name: "cache-of-an-effect",
    file: "packages/kernel/src/registry/check-caches.ts",
    find: 'if (effect === undefined || effect === "read") return [];',
    replace: 'if (effect !== "reconcile") return [];',
  },
  {
    name: "cache-above-a-thread",
    file: "packages/kernel/src/registry/check-caches.ts",
    find: "each !== loop && each.definition.kind",
    replace: 'each !== loop && each.definition.kind === "tool" && each.definition.kind',
  },
  {
    name: "cache-hit-of-any-loop-verifies",
    file: "packages/protocol/src/verify/follow-caches.ts",
    find: "if (!isKept(strategy) || !pinned.has(nameKept(known.loop, strategy))) return false;",
    replace: "if (!isKept(strategy) || pinned.size > 1_000) return false;",
  },
];
