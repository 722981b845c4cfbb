import { expect, test } from "vitest";
import { revealText, SIGNS, type Sign } from "./reveal-text.ts";

const hostile: readonly [string, string, string, Sign][] = [
  ["an escape sequence", "\u001b[2Jsafe", "\\u001b[2Jsafe", "control"],
  ["a sequence in one character", "\u009b31m", "\\u009b31m", "control"],
  ["a null", "a\u0000b", "a\\u0000b", "control"],
  ["a backspace", "no\b\byes", "no\\u0008\\u0008yes", "control"],
  ["a line separator", "a\u2028b", "a\\u2028b", "control"],
  ["an override of direction", "fdp\u202eexe", "fdp\\u202eexe", "direction"],
  ["an isolate", "\u2066a\u2069", "\\u2066a\\u2069", "direction"],
  ["a mark of direction", "1\u200f2", "1\\u200f2", "direction"],
  ["a zero-width space", "pay\u200bpal", "pay\\u200bpal", "invisible"],
  ["a joiner", "a\u200db", "a\\u200db", "invisible"],
  ["a soft hyphen", "ad\u00admin", "ad\\u00admin", "invisible"],
  ["a byte order mark", "\ufeffA-17", "\\ufeffA-17", "invisible"],
  ["a filler", "a\u3164b", "a\\u3164b", "invisible"],
  ["a blank of Braille", "a\u2800b", "a\\u2800b", "invisible"],
  ["a variation selector", "a\ufe0fb", "a\\ufe0fb", "invisible"],
  ["a tag", "a\u{e0041}", "a\\udb40\\udc41", "invisible"],
  ["a space that does not break", "a\u00a0b", "a\\u00a0b", "invisible"],
  ["a wide space", "a\u3000b", "a\\u3000b", "invisible"],
  ["half a pair", "a\ud800", "a\\ud800", "invisible"],
  ["a private character", "\ue000", "\\ue000", "invisible"],
  ["a mark on a plain letter", "e\u0301", "e\\u0301", "mark"],
  ["a stroke through a sign", "=\u0338", "=\\u0338", "mark"],
  ["marks upon marks", "é\u0300\u0300\u0300", "é\u0300\u0300\\u0300", "mark"],
  ["Cyrillic in Latin", "p\u0430ypal", "p\\u0430ypal", "look-alike"],
  ["Latin in Cyrillic", "Приvет", "\\u041f\\u0440\\u0438v\\u0435\\u0442", "look-alike"],
  ["a Cyrillic letter of an order", "\u0410-17", "\\u0410-17", "look-alike"],
  [
    "a name in Cyrillic letters",
    "\u0430\u0440\u0440\u0435",
    "\\u0430\\u0440\\u0440\\u0435",
    "look-alike",
  ],
  [
    "the same in a Russian text",
    "Плати \u0410\u0421\u041c\u0415",
    "Плати \\u0410\\u0421\\u041c\\u0415",
    "look-alike",
  ],
  ["a Greek letter", "\u0391-17", "\\u0391-17", "look-alike"],
  ["Greek in Latin", "g\u03bfogle", "g\\u03bfogle", "look-alike"],
  ["Greek in Cyrillic", "д\u03bf", "\\u0434\\u03bf", "look-alike"],
  ["Armenian", "g\u0585\u0585gle", "g\\u0585\\u0585gle", "look-alike"],
  ["Cherokee", "\u13aa\u13a1", "\\u13aa\\u13a1", "look-alike"],
  ["full width", "\uff21\uff0d17", "\\uff21\\uff0d17", "look-alike"],
  ["letters of mathematics", "\u{1d41a}dmin", "\\ud835\\udc1admin", "look-alike"],
  ["a ligature", "\ufb01le", "\\ufb01le", "look-alike"],
  ["other digits", "1\u0662", "1\\u0662", "look-alike"],
  ["a hyphen that is none", "A\u201017", "A\\u201017", "look-alike"],
  ["a minus", "\u2212100", "\\u2212100", "look-alike"],
  ["a slash that is none", "a\u2215b", "a\\u2215b", "look-alike"],
  ["a comma that is none", "1\u201a000", "1\\u201a000", "look-alike"],
  ["a Latin letter that looks like another", "\u0251dmin", "\\u0251dmin", "look-alike"],
];

test.each(hostile)("%s is shown for what it is", (_, text, shown, sign) => {
  const revealed = revealText(text);
  expect(revealed.text).toBe(`"${shown}"`);
  expect(revealed.signs).toContain(sign);
  expect(JSON.parse(revealed.text)).toBe(text);
});

test("every sign is in the table", () => {
  expect(new Set(hostile.map(([, , , sign]) => sign))).toEqual(new Set(SIGNS));
});

test.each([
  "",
  "A-17",
  "Order A-17 is refunded, in full: 12.50 EUR.",
  "Grüße aus Zürich, château, año",
  "Привет, а это — текст с предлогом",
  "Αυτό είναι κείμενο",
  "東京タワー 2階",
  "서울 Seoul",
  "שלום עולם",
  "don’t",
  "👍",
])("%s stays as it is", (text) => {
  expect(revealText(text)).toEqual({ text: JSON.stringify(text), signs: [] });
});

test("quotes, backslashes and line breaks are escaped without a warning", () => {
  expect(revealText('say "x" \\u0041\n\tend')).toEqual({
    text: '"say \\"x\\" \\\\u0041\\n\\tend"',
    signs: [],
  });
});
