import { describe, expect, test } from "vitest";
import { sha256Hex } from "../sha256.ts";
import { checkGuidance } from "./check-guidance.ts";
import {
  GUIDANCE_BYTES_MAX,
  GUIDANCE_DOCUMENTS_MAX,
  GUIDANCE_REF_LENGTH_MAX,
  GUIDANCE_REFUSALS,
  GUIDANCE_TOTAL_BYTES_MAX,
  type GuidanceDocument,
} from "./guidance.ts";
import { pinGuidance } from "./pin-guidance.ts";

const documents = (count: number, bytes = 10): GuidanceDocument[] =>
  Array.from({ length: count }, (_, index) => ({
    ref: `guide-${index}.md`,
    text: String(index).padEnd(bytes, "x"),
  }));

const one = (ref: string, text = "text"): GuidanceDocument[] => [{ ref, text }];

describe("what is pinned", () => {
  test("a document has a plain digest, its size in bytes and a media type", () => {
    const given = [
      { ref: "rules/refunds.md", text: "Zurück – innerhalb von 30 Tagen" },
      { ref: "tone.txt", text: "friendly" },
    ];
    expect(pinGuidance(given)).toEqual({
      kind: "pinned",
      pinned: [
        {
          ref: "rules/refunds.md",
          digest: `sha256:${sha256Hex("Zurück – innerhalb von 30 Tagen")}`,
          size: 34,
          mediaType: "text/markdown",
        },
        {
          ref: "tone.txt",
          digest: `sha256:${sha256Hex("friendly")}`,
          size: 8,
          mediaType: "text/plain",
        },
      ],
      texts: ["Zurück – innerhalb von 30 Tagen", "friendly"],
    });
  });

  test.each([
    ["as many as may be", documents(GUIDANCE_DOCUMENTS_MAX)],
    ["one as large as may be", documents(1, GUIDANCE_BYTES_MAX)],
    ["as much as may be", documents(4, GUIDANCE_TOTAL_BYTES_MAX / 4)],
    ["the longest reference", one("a".repeat(GUIDANCE_REF_LENGTH_MAX))],
    ["a reference in another script", one("régles/日本語 (1).md")],
    ["none", []],
  ])("%s", (_, given) => {
    expect(pinGuidance(given).kind).toBe("pinned");
  });
});

const refused: [string, GuidanceDocument[], (typeof GUIDANCE_REFUSALS)[number]][] = [
  ["a thirteenth document", documents(GUIDANCE_DOCUMENTS_MAX + 1), "too-many"],
  ["one byte too much", documents(1, GUIDANCE_BYTES_MAX + 1), "too-large"],
  ["few letters of many bytes", one("a.md", "語".repeat(GUIDANCE_BYTES_MAX / 3 + 1)), "too-large"],
  [
    "one byte too much in all",
    [...documents(4, GUIDANCE_TOTAL_BYTES_MAX / 4), { ref: "more.md", text: "x" }],
    "total-too-large",
  ],
  ["a reference twice", [...one("a.md", "one"), ...one("a.md", "two")], "duplicate-ref"],
  ["a reference in capitals", [...one("a.md", "one"), ...one("A.MD", "two")], "duplicate-ref"],
  ["a text twice", [...one("a.md", "same"), ...one("b.md", "same")], "duplicate-text"],
  ["a step upwards", one("../x"), "ref-outside"],
  ["a step upwards inside", one("a/../../x"), "ref-outside"],
  ["a step upwards with backslashes", one("a\\..\\x"), "ref-outside"],
  ["an absolute path", one("/etc/passwd"), "ref-absolute"],
  ["an absolute path of Windows", one("C:\\x.md"), "ref-absolute"],
  ["a home folder", one("~/x.md"), "ref-absolute"],
  ["a share", one("\\\\host\\x"), "ref-absolute"],
  ["an address", one("https://example.com/a.md"), "ref-url"],
  ["an address of another kind", one("file:a.md"), "ref-url"],
  ["no reference", one(""), "ref-unreadable"],
  ["a backslash", one("a\\b.md"), "ref-unreadable"],
  ["an empty segment", one("a//b.md"), "ref-unreadable"],
  ["a step nowhere", one("./a.md"), "ref-unreadable"],
  ["a folder", one("a/"), "ref-unreadable"],
  ["a new line", one("a.md\nguidance end"), "ref-unreadable"],
  ["a letter that turns the line round", one("a\u202e.md"), "ref-unreadable"],
  ["a reference that is too long", one("a".repeat(GUIDANCE_REF_LENGTH_MAX + 1)), "ref-unreadable"],
  ["no text", one("a.md", ""), "text-empty"],
  ["blank text", one("a.md", " \n\t"), "text-empty"],
  ["half a letter", one("a.md", "\ud800"), "text-unreadable"],
];

describe("what is refused", () => {
  test.each(refused)("%s", (_, given, refusal) => {
    expect(pinGuidance(given)).toMatchObject({ kind: "refused", refusal });
  });

  test("every refusal is in the table", () => {
    const seen = new Set(refused.map(([, , refusal]) => refusal));
    expect(GUIDANCE_REFUSALS.filter((refusal) => !seen.has(refusal))).toEqual([]);
  });

  test("the document at fault is named by its place", () => {
    expect(pinGuidance([...documents(2), ...one("../x")])).toMatchObject({ index: 2 });
  });
});

describe("checking what was pinned", () => {
  const pinning = pinGuidance(documents(3));
  const { pinned, texts } = pinning.kind === "pinned" ? pinning : { pinned: [], texts: [] };
  const [first = "", second = "", third = ""] = texts;

  test("the same texts are ok", () => {
    expect(pinned).toHaveLength(3);
    expect(checkGuidance(pinned, texts)).toBe("ok");
    expect(checkGuidance([], [])).toBe("ok");
  });

  test.each([
    ["a byte more", [`${first} `, second, third]],
    ["one missing", [first, second]],
    ["one more", [first, second, third, "fourth"]],
    ["another order", [second, first, third]],
    ["one twice", [first, first, third]],
    ["nothing at all", []],
  ])("%s is a change", (_, given) => {
    expect(checkGuidance(pinned, given)).toBe("guidance-changed");
  });

  test("a pin that says otherwise about its document is a change", () => {
    const lie = pinned.map((pin) => ({ ...pin, size: pin.size + 1 }));
    expect(checkGuidance(lie, texts)).toBe("guidance-changed");
  });

  test("what could never have been pinned is a change, whatever its digests say", () => {
    const outside = pinned.map((pin) => ({ ...pin, ref: `../${pin.ref}` }));
    expect(checkGuidance(outside, texts)).toBe("guidance-changed");
  });
});
