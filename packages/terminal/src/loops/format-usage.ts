import type { TokenCounts } from "@turnseal/protocol";

/** The tokens of a request, in words: `900 tokens in (800 from a cache), 40 out`. */
export function formatUsage(tokens: TokenCounts): string {
  const { inputTokens = 0, outputTokens = 0 } = tokens;
  const { cacheReadTokens, cacheWriteTokens, reasoningTokens } = tokens;
  const read = listParts([cacheReadTokens, "from a cache"], [cacheWriteTokens, "put into a cache"]);
  const written = listParts([reasoningTokens, "of reasoning"]);
  return `${inputTokens} tokens in${read}, ${outputTokens} out${written}`;
}

function listParts(...parts: readonly (readonly [count: number | undefined, word: string])[]) {
  const said = parts.flatMap(([count, word]) => (count === undefined ? [] : [`${count} ${word}`]));
  return said.length === 0 ? "" : ` (${said.join(", ")})`;
}
