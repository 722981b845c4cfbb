// Compares estimates with a real tokenizer.
import { createHash } from "node:crypto";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { estimateText } from "./estimate-text.ts";

const bytes = Array.from({ length: 20 }, (_, index) =>
  createHash("sha512").update(String(index)).digest(),
);
const listOf = (encoding: "hex" | "base64") => bytes.map((some) => some.toString(encoding));

/** The most that is counted for one estimated token. */
const OFF_MOST = 1.25;

test.each<[string, string]>([
  ["words", "The quick brown fox jumps over the lazy dog, and is told so. ".repeat(20)],
  [
    "German",
    "Die Geschwindigkeitsbegrenzung gilt, und die Straße ist unverändert frei. ".repeat(20),
  ],
  ["Russian", "Быстрая коричневая лиса перепрыгивает через ленивую собаку у реки. ".repeat(20)],
  ["Arabic", "الثعلب البني السريع يقفز فوق الكلب الكسول ويشرب الماء عند النهر. ".repeat(20)],
  ["Hebrew", "השועל החום המהיר קופץ מעל הכלב העצלן ושותה מים ליד הנהר. ".repeat(20)],
  ["Hindi", "तेज़ भूरी लोमड़ी कुत्ते के ऊपर से कूदती है और पानी पीती है। ".repeat(20)],
  ["Thai", "สุนัขจิ้งจอกสีน้ำตาลกระโดดข้ามสุนัขขี้เกียจแล้วดื่มน้ำที่ริมแม่น้ำ ".repeat(20)],
  ["Amharic", "ፈጣኑ ቡናማ ቀበሮ በሰነፉ ውሻ ላይ ዘለለ። ".repeat(20)],
  ["Chinese", "快速的棕色狐狸跳过懒狗，然后他们一起去河边喝水，今天天气很好。".repeat(20)],
  ["Japanese", "素早い茶色の狐がのろまな犬を飛び越えて、川のほとりで水を飲みました。".repeat(20)],
  ["Korean", "빠른 갈색 여우가 게으른 개를 뛰어넘고 강가에서 물을 마셨습니다. ".repeat(20)],
  ["emoji", "😀🎉🚀👩‍👩‍👧‍👦🏳️‍🌈".repeat(20)],
  ["hieroglyphs", String.fromCodePoint(...Array.from({ length: 99 }, (_, at) => 0x13000 + at))],
  ["digests", listOf("hex").join("\n")],
  ["one long digest", listOf("hex").join("")],
  ["encoded bytes", listOf("base64").join("")],
  ["punctuation", "!@#$%^&*()_+{}|:<>?".repeat(20)],
  ["a text in a text", JSON.stringify(JSON.stringify({ list: listOf("hex"), text: '"a"\n' }))],
])("of %s no tokenizer makes far more than is estimated", (_, text) => {
  expect(countTokens(text) / estimateText(text)).toBeLessThan(OFF_MOST);
});

test("plain words are estimated as they are counted", () => {
  const text = "The quick brown fox jumps over the lazy dog, and is told so. ".repeat(20);
  expect(estimateText(text) / countTokens(text)).toBeCloseTo(1, 1);
});

test("what has no end is estimated all the same", () => {
  expect(estimateText("")).toBe(0);
  for (const piece of ["x", "7", "a1", "ก", "-", "𓀀"]) {
    const tokens = estimateText(piece.repeat(1_000_000));
    expect(tokens, piece).toBeGreaterThan(100_000);
  }
});
