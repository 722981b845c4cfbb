import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PIECE_BYTES_MAX } from "../limits.ts";
import { REDACTED } from "./mark-secrets.ts";
import { createRedactor } from "./redact.ts";

const secret = 'sk-live/9+"Zq\\7_é~0123456789';
const redactor = createRedactor([secret]);
const base64 = (text: string) => Buffer.from(text).toString("base64");
const base64url = (text: string) => Buffer.from(text).toString("base64url");
const hex = (text: string) => Buffer.from(text).toString("hex");
const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const unicode = (text: string) =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

describe("a secret as a whole is taken out, however it is written", () => {
  test.each([
    ["plain", secret],
    ["base64", base64(secret)],
    ["base64 after one byte", base64(`a${secret}`)],
    ["base64 after two bytes", base64(`ab${secret}`)],
    ["base64 for addresses", base64url(`a${secret}`)],
    ["base64 in lines", base64(secret).replace(/(.{20})/g, "$1\n")],
    ["escaped for an address", encodeURIComponent(secret)],
    ["every byte escaped", percent(secret)],
    ["every byte escaped in capitals", percent(secret).toUpperCase()],
    ["escaped for JSON", JSON.stringify(secret)],
    ["every letter escaped for JSON", unicode(secret)],
    ["hex", hex(secret)],
    ["hex in capitals", hex(secret).toUpperCase()],
    ["hex after a digit", `f${hex(secret)}`],
  ])("%s", (_, spelled) => {
    const told = redactor.text(`before ${spelled} after`);
    expect(told).toMatch(/^before /);
    expect(told).toMatch(/ after$/);
    expect(told).toContain(REDACTED);
    expect(listPieces(spelled).filter((piece) => told.includes(piece))).toEqual([]);
  });

  test("a form writes spaces as plus", () => {
    const words = createRedactor(["correct horse battery staple"]);
    expect(words.text("key=correct+horse+battery+staple&a=b")).toBe(`key=${REDACTED}&a=b`);
  });

  test("two secrets of different lengths in one text", () => {
    const two = createRedactor(["short-12", "a-much-longer-secret"]);
    expect(two.text("short-12,a-much-longer-secret,rest")).toBe(`${REDACTED},${REDACTED},rest`);
  });

  test("letters that take several bytes are cut out whole", () => {
    const words = createRedactor(["schlüssel-ß-überall"]);
    expect(words.text("ä schlüssel-ß-überall ö")).toBe(`ä ${REDACTED} ö`);
  });
});

function listPieces(text: string): string[] {
  const plain = text.replaceAll("\n", "");
  return Array.from({ length: plain.length - 15 }, (_, at) => plain.slice(at, at + 16));
}

describe("a part of a secret", () => {
  const long = "abcdefghijklmnopqrstuvwxyz";

  test("of eight bytes is taken out, of seven is not", () => {
    const { text } = createRedactor([long]);
    expect(text(`x${long.slice(5, 5 + PIECE_BYTES_MAX)}x`)).toBe(`x${REDACTED}x`);
    expect(text(`x${long.slice(5, 5 + PIECE_BYTES_MAX - 1)}x`)).toBe(`x${long.slice(5, 12)}x`);
  });

  test("half of a short secret is taken out", () => {
    const { text } = createRedactor(["pw-12345"]);
    expect(text("pw-1 and 2345")).toBe(`${REDACTED} and ${REDACTED}`);
    expect(text("pw- and 345")).toBe("pw- and 345");
  });

  test("a secret over two outputs is in neither", () => {
    const { value } = createRedactor([long]);
    expect(value([long.slice(0, 13), long.slice(13)])).toEqual([REDACTED, REDACTED]);
  });

  test.each([base64, hex, percent])("also in another spelling", (spell) => {
    const { text } = createRedactor([long]);
    const told = text(`before ${spell(`--${long.slice(3, 15)}--`)} after`);
    expect(told).toContain(REDACTED);
    expect(told).not.toContain(spell(long.slice(6, 12)));
  });
});

describe("values", () => {
  const { value } = createRedactor(["1234567890", "top-secret-name"]);

  test("keys, texts and numbers, as deep as they stand", () => {
    const given = {
      "top-secret-name": [{ a: "x top-secret-name" }],
      n: 1234567890,
      m: 12,
      no: null,
    };
    expect(value(given)).toEqual({
      [REDACTED]: [{ a: `x ${REDACTED}` }],
      n: REDACTED,
      m: 12,
      no: null,
    });
  });

  test("keys that become the same stay apart", () => {
    const given = { "top-secret-name": 1, "a top-secret-name": 2, "top-secret-nam": 3 };
    expect(Object.values(value(given))).toEqual([1, 2, 3]);
  });

  test("without a secret nothing changes", () => {
    const given = { a: ["1234567890"] };
    expect(createRedactor([]).value(given)).toBe(given);
    expect(createRedactor([]).text("1234567890")).toBe("1234567890");
  });
});

describe("properties", () => {
  const spellings = [
    (text: string) => text,
    base64,
    base64url,
    encodeURIComponent,
    percent,
    hex,
    (text: string) => JSON.stringify(text),
    unicode,
  ];

  test("no spelling of a secret gets through, whatever stands around it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme-ascii", minLength: 16, maxLength: 60 }),
        fc.string({ unit: "grapheme-ascii", maxLength: 20 }),
        fc.nat({ max: spellings.length - 1 }),
        (hidden, around, which) => {
          const spell = spellings[which] ?? String;
          const told = createRedactor([hidden]).text(`${around} ${spell(hidden)} ${around}`);
          return told.includes(REDACTED) && !told.includes(spell(hidden).slice(2, -3));
        },
      ),
      { numRuns: 500 },
    );
  });

  test("a text without a piece stays as it is", () => {
    const { text: redact } = createRedactor(["\u{1f511}\u{1f512}\u{1f513}\u{1f510}"]);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        fc.pre(text.isWellFormed());
        return redact(text) === text;
      }),
    );
  });
});

test("time is linear in the text, also for one made of pieces", () => {
  const hidden = "abcdefgh".repeat(4);
  const { text } = createRedactor([hidden]);
  const measure = (length: number): number => {
    const given = hidden.repeat(length / hidden.length);
    const startedAt = performance.now();
    expect(text(given)).toBe(REDACTED);
    return performance.now() - startedAt;
  };
  measure(1 << 12);
  const [small, large] = [measure(1 << 14), measure(1 << 17)];
  // Eight times the text; a square would take sixty-four times as long.
  expect(large / small).toBeLessThan(32);
});
