/** Tokens by a real tokenizer, the one of OpenAI's models since 2024. */
import { countTokens, encode } from "gpt-tokenizer/encoding/o200k_base";

/** A conversation repeats its pieces in every request: each is counted once. */
const counted = new Map<string, number>();
/** More pieces than any conversation shows at once. */
const COUNTED_MAX = 20_000;

/** As they are sent, with everything that is written around the words. */
export function sumTokens(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + countPiece(piece), 0);
}

/** The tokens from the first one on that both have. */
export function sumCommon(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((piece, index) => piece !== other[index]);
  if (differs === -1) return sumTokens(one);
  const [left = "", right = ""] = [one[differs], other[differs]];
  return sumTokens(one.slice(0, differs)) + countCommon(encode(left), encode(right));
}

function countPiece(piece: string): number {
  const known = counted.get(piece);
  if (known !== undefined) return known;
  if (counted.size >= COUNTED_MAX) counted.clear();
  const tokens = countTokens(piece);
  counted.set(piece, tokens);
  return tokens;
}

function countCommon(one: readonly number[], other: readonly number[]): number {
  const differs = one.findIndex((token, index) => token !== other[index]);
  return differs === -1 ? one.length : differs;
}
