export interface PrefixFigures {
  /** Characters that repeat the beginning of the request before, as a share of all. */
  readonly repeatedShare: number;
  /** Requests that are not the one before with something at its end. */
  readonly breaks: number;
}

/** How much of what was read had been read before, from the first character on. */
export function measurePrefix(texts: readonly string[]): PrefixFigures {
  let [repeated, all, breaks] = [0, 0, 0];
  let before = "";
  for (const text of texts) {
    const length = measureCommon(before, text);
    repeated += length;
    all += text.length;
    breaks += length < before.length ? 1 : 0;
    before = text;
  }
  return { repeatedShare: all === 0 ? 0 : repeated / all, breaks };
}

function measureCommon(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length += 1;
  return length;
}
