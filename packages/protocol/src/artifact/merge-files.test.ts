import { expect, test } from "vitest";
import { mergeFiles } from "./merge-files.ts";

const file = (text: string, mode?: number) => ({
  bytes: new TextEncoder().encode(text),
  ...(mode === undefined ? {} : { mode }),
});
const merge = (base: string | undefined, ours: string, theirs: string) => {
  const merged = mergeFiles({
    ancestor: base === undefined ? undefined : file(base),
    recorded: file(ours),
    seen: file(theirs),
  });
  return merged.kind === "merged" ? new TextDecoder().decode(merged.bytes) : merged.why;
};

test.each<[string | undefined, string, string, string]>([
  ["1\n2\n3\n4\n", "eins\n2\n3\n4\n", "1\n2\n3\nvier\n", "eins\n2\n3\nvier\n"],
  ["1\n", "1\n", "2\n", "2\n"],
  ["1\n", "2\n", "1\n", "2\n"],
  ["1\n", "2\n", "3\n", "both-changed"],
  [undefined, "1\n", "2\n", "both-made"],
  ["a\0", "b\0", "c\0", "no-text"],
  ["a\0", "a\0", "c\0", "c\0"],
  [
    "\uFEFF1\n2\n3\n4\n",
    "\uFEFF1\n2\n3\nvier\n",
    "\uFEFFeins\n2\n3\n4\n",
    "\uFEFFeins\n2\n3\nvier\n",
  ],
])("of %j the run made %j and somebody %j: %j", (base, ours, theirs, expected) => {
  const merged = merge(base, ours, theirs);
  expect(new TextEncoder().encode(merged)).toEqual(
    new TextEncoder().encode(expected.startsWith("\uFEFF") ? expected.slice(1) : expected),
  );
});

test.each([
  [0o644, 0o644, 0o755, 0o755],
  [0o644, 0o755, 0o644, 0o755],
  [0o644, 0o755, 0o755, 0o755],
  [0o644, 0o755, 0o600, "mode"],
  [undefined, undefined, undefined, undefined],
])("modes %o, %o and %o give %o", (base, ours, theirs, expected) => {
  const merged = mergeFiles({
    ancestor: file("1\n", base),
    recorded: file("1\n", ours),
    seen: file("1\n", theirs),
  });
  expect(merged.kind === "merged" ? merged.mode : merged.why).toBe(expected);
});
