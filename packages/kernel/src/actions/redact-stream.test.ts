import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { REDACTED } from "./mark-secrets.ts";
import { createRedactor } from "./redact.ts";

const secret = "sk-live/9+Zq7_é~0123456789";
const short = "hunter2hunter";
const redactor = createRedactor([secret, short]);

const spellings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => Buffer.from(text).toString("base64"),
  (text) => Buffer.from(`a${text}`).toString("base64url"),
  (text) => Buffer.from(text).toString("hex"),
  encodeURIComponent,
  (text) => [...text].map((l) => `\\u${l.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
];

function tell(pieces: readonly string[]): string[] {
  const stream = redactor.stream();
  return [...pieces.map((piece) => stream.push(piece)), stream.end()];
}

describe("a secret that comes in pieces", () => {
  test.each(spellings.map((spell, index) => [index, spell] as const))(
    "is told in none of them, wherever it is split: spelling %i",
    (_, spell) => {
      const text = `before ${spell(secret)} after`;
      for (let at = 0; at <= text.length; at++) {
        expect(tell([text.slice(0, at), text.slice(at)]).join("")).toBe(redactor.text(text));
      }
      expect(tell([...text]).join("")).toBe(redactor.text(text));
    },
  );

  test("is replaced once, also when it is told letter by letter", () => {
    expect(tell([..."a ", ...secret, ..." b"]).join("")).toBe(`a ${REDACTED} b`);
  });

  test("what is split anyhow is told as if it had come whole", () => {
    const word = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 80 }),
      fc.constantFrom(...spellings.flatMap((spell) => [spell(secret), spell(short)])),
      fc.constantFrom(secret.slice(0, 9), secret.slice(5), short.slice(1), "\\", "%", "💡"),
    );
    const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat(400), { maxLength: 12 }), (whole, cuts) => {
        const places = [0, ...cuts.filter((at) => at < whole.length), whole.length];
        places.sort((one, other) => one - other);
        const pieces = places.slice(1).map((end, index) => whole.slice(places[index], end));
        expect(tell(pieces).join("")).toBe(redactor.text(whole));
      }),
      { seed: 42, numRuns: 2_000 },
    );
  });
});

describe("what is no secret", () => {
  test("is told at once where there is nothing to hide", () => {
    const stream = createRedactor([]).stream();
    expect([stream.push("one "), stream.push("two"), stream.end()]).toEqual(["one ", "two", ""]);
  });

  test("is held back for a moment only, where there is", () => {
    const stream = redactor.stream();
    const told = stream.push("a".repeat(1_000));
    expect(told.length).toBeGreaterThan(900);
    expect(told + stream.end()).toBe("a".repeat(1_000));
  });

  test("stays well formed when a character is split", () => {
    for (const one of [redactor, createRedactor([])]) {
      const stream = one.stream();
      const told = [..."\ud83d\udca1é\ud83d"].flatMap((letter) =>
        letter.split("").map((unit) => stream.push(unit)),
      );
      const parts = [...told, stream.end()];
      expect(parts.every((part) => part.isWellFormed())).toBe(true);
      expect(parts.join("")).toBe("💡é\ufffd");
    }
  });
});
