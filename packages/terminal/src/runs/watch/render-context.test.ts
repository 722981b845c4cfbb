import type { SentContext, SentEntry } from "@turnseal/host";
import { expect, test } from "vitest";
import { formatLine } from "../../screen/line.ts";
import { FIRST_LINE_MAX, renderContext, toJsonContext } from "./render-context.ts";

const words = (text: string): SentEntry => ({
  ...{ number: 4, role: "user", by: null, tokens: 1 },
  message: { role: "user", text },
});
const context: SentContext = {
  ...{ run: "r", turn: 2, round: 1, event: 9, backend: "b", model: "m", thread: "/" },
  ...{ entries: [words("hello")], leftOut: 4, contextTokens: 12, billed: null },
  ...{ strategy: "append", summarized: null, unsummarized: null },
};

function render(shown: SentContext, content = true): string {
  const lines = renderContext(shown, { content });
  return lines.map((line) => formatLine(line, { isColoured: false })).join("\n");
}

test("what was left out, reckoned and billed stands below the entries", () => {
  const text = render(context);
  expect(text).toContain("     4  user  1 token  hello\n");
  expect(text).toContain("left out  4 of the older entries of the thread, to make room\n");
  expect(text).toContain("estimate  1 token of messages, 12 with tools and schemas\n");
  expect(text).toContain("billed    nothing yet: the request has no recorded answer");
  expect(render({ ...context, billed: {} })).toContain("billed    the provider did not say");
});

test("files are named by type and size, and by their name only with what was said", () => {
  const file = {
    file: `hmac-sha256:${"0".repeat(64)}`,
    mediaType: "image/png",
    bytes: 12,
  } as const;
  const message = { role: "user", text: "see", files: [{ ...file, name: "me.png" }] } as const;
  const shown = { ...context, entries: [{ ...words("see"), message }] };
  expect(render(shown)).toContain("     4  user  1 token  [image/png, 12 bytes me.png]  see\n");
  expect(render(shown, false)).toContain("[image/png, 12 bytes]\n");
  const json = JSON.stringify(toJsonContext(shown, {}));
  expect(json).toContain('"files":[{"mediaType":"image/png","bytes":12}]');
  expect(json).not.toContain("me.png");
});

test("without a thread it is results of tools that are left out", () => {
  expect(render({ ...context, thread: null, leftOut: 1 })).toContain("left out  1 result of tools");
});

test("of what was said the first line is shown, FIRST_LINE_MAX characters of it", () => {
  const fits = "x".repeat(FIRST_LINE_MAX);
  expect(render({ ...context, entries: [words(`${fits}\nmore`)] })).toContain(`  ${fits}\n`);
  expect(render({ ...context, entries: [words(`${fits}x`)] })).toContain(`  ${fits}…\n`);
  expect(render({ ...context, entries: [words(fits)] }, false)).not.toContain("x");
});

test("the notes at the end are shown whole, without their frame", () => {
  const text = "Notes of this run\n\nnotes-0a begin\n- a\n  (b)\nnotes-0a end";
  const notes: SentEntry = { ...words(text), number: null, by: "notes", tokens: 9 };
  const shown = render({ ...context, entries: [words("hello"), notes] });
  expect(shown).toContain("\n        user notes  9 tokens\n          - a\n            (b)\n");
  expect(shown).not.toContain("notes-0a");
  expect(render({ ...context, entries: [notes] }, false)).not.toContain("- a");
});

test("what was summarised is said, and why something was not", () => {
  expect(render({ ...context, summarized: { from: 0, to: 4 } })).toContain(
    "to make room; a summary stands for 0 to 3\n",
  );
  expect(render({ ...context, summarized: { from: 2, to: 4 }, unsummarized: "failed" })).toContain(
    "a summary stands for 2 to 3 and the summary before; not summarized: the summarizer failed\n",
  );
});
