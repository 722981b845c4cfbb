import { diffLines, MERGE_LENGTH_MAX, splitLines } from "@turnseal/protocol/artifact";

/** Lines that came and lines that went. */
export interface LineCount {
  readonly added: number;
  readonly removed: number;
}

/** How many lines changed; undefined if one of the two is no text, or they are too different. */
export function countLines(
  before: Uint8Array | undefined,
  after: Uint8Array,
): LineCount | undefined {
  const [old, now] = [before === undefined ? undefined : readText(before), readText(after)];
  if (old === undefined || now === undefined) return undefined;
  const changes = diffLines(splitLines(old), splitLines(now));
  return changes?.reduce<LineCount>(
    ({ added, removed }, change) => ({
      added: added + change.added,
      removed: removed + change.removed,
    }),
    { added: 0, removed: 0 },
  );
}

function readText(bytes: Uint8Array): string | undefined {
  if (bytes.length > MERGE_LENGTH_MAX) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
