/**
 * How many tokens text will be. Words of European languages are estimated well; of what is no
 * words, and of most other scripts, a tokenizer makes several times as many.
 */
import { estimateTokenCount } from "tokenx";

/** Characters that make a token, by what a piece between blanks and punctuation looks like. */
const languageConfigs = [
  // Digests, keys and what is encoded: letters and digits mixed, or no end of either.
  { pattern: /^(?=\D*\d)(?=\d*[A-Za-z])[\dA-Za-z]{6,}$/, averageCharsPerToken: 1.5 },
  { pattern: /^[A-Za-z]{25,}$/, averageCharsPerToken: 1.9 },
  { pattern: /^[!-/:-@[-`{-~]{7,}$/, averageCharsPerToken: 1.4 },
  { pattern: /[\u{10000}-\u{1F1E5}\u{1FB00}-\u{10FFFF}]/u, averageCharsPerToken: 0.25 },
  { pattern: /\p{Extended_Pictographic}/u, averageCharsPerToken: 0.5 },
  { pattern: /[\u1000-\u109F\u1200-\u1FFF\u0F00-\u0FFF\uA000-\uABFF]/, averageCharsPerToken: 0.5 },
  { pattern: /[\u0980-\u0EFF\u0530-\u058F\u0700-\u08FF\u10A0-\u10FF]/, averageCharsPerToken: 1.2 },
  { pattern: /[\u0590-\u06FF\u0900-\u097F]/, averageCharsPerToken: 2 },
  { pattern: /[\u0400-\u052F]/, averageCharsPerToken: 2.5 },
];

/** Most text has none of it, and is scanned once. */
const dense = /[\u0400-\u1FFF\uA000-\uABFF\uD800-\uDFFF\u2600-\u27BF]|[!-~]{24}|\d[A-Za-z\d]{5}/;

/** Longer text is scanned in parts of this size: a piece without an end would exhaust the stack. */
const LOOKED_AT = 8_192;

export function estimateText(text: string): number {
  if (!dense.test(text)) return estimateTokenCount(text);
  let tokens = 0;
  for (let from = 0; from < text.length; from += LOOKED_AT)
    tokens += estimateTokenCount(text.slice(from, from + LOOKED_AT), { languageConfigs });
  return tokens;
}
