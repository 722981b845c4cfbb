/**
 * Shows the true content of foreign text, to a person who is about to approve something because of
 * it.
 *
 * `sanitizeText` keeps a terminal safe; this keeps a reader from mistaking one text for another.
 * The text is quoted. Characters that are invisible, that move other text about or that look like
 * others are shown as escapes. The rest is as it looks.
 */

/** Signs in a text that a reader would not see. */
export const SIGNS = ["control", "direction", "invisible", "mark", "look-alike"] as const;
export type Sign = (typeof SIGNS)[number];

export interface Revealed {
  /** Quoted as JSON: read back, it is the same text. */
  readonly text: string;
  readonly signs: readonly Sign[];
}

/** Reveals a text. */
export function revealText(text: string): Revealed {
  const signs = new Set<Sign>();
  const written = listScripts(text);
  const pieces = text.split(/([ \t\r\n]+)/).map((piece) => {
    const suspects = findLookAlikes(piece, written);
    return revealPiece(piece, suspects, signs);
  });
  return { text: `"${pieces.join("")}"`, signs: SIGNS.filter((sign) => signs.has(sign)) };
}

function revealPiece(piece: string, suspects: ReadonlySet<string>, signs: Set<Sign>): string {
  let shown = "";
  let marks = MARKS_MAX;
  for (const character of piece) {
    const isMark = /\p{M}/u.test(character);
    // A mark on a plain letter has a letter of its own to be written as.
    marks = isMark ? marks + 1 : isPlain(character) ? MARKS_MAX : 0;
    const sign =
      signOf(character) ??
      (isMark && marks > MARKS_MAX ? "mark" : suspects.has(character) ? "look-alike" : undefined);
    if (sign !== undefined) signs.add(sign);
    shown += sign === undefined ? quote(character) : escapeUnits(character);
  }
  return shown;
}

/** Marks on one letter that are left as they are. */
const MARKS_MAX = 2;

const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
// Line breaks and tabs are common, and quoted anyway.
const control = /[^\P{Cc}\t\r\n]|[\p{Zl}\p{Zp}]/u;
const invisible = /[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]|[^\P{Zs} ]/u;

function signOf(character: string): Sign | undefined {
  if (isPlain(character) && character >= " " && character !== "\u007f") return undefined;
  if (direction.test(character)) return "direction";
  if (control.test(character)) return "control";
  return invisible.test(character) ? "invisible" : undefined;
}

/** Scripts with letters that look like those of ASCII, and which letters these are. */
const scripts: readonly { readonly letter: RegExp; readonly lookAlike: RegExp }[] = [
  { letter: /\p{sc=Cyrl}/u, lookAlike: /[АВЕЅІЈКМНОРСТУХҮҺԌԚԜЗӀЬѴаеіјѕорсухһԁԛԝѵӏ]/u },
  { letter: /\p{sc=Grek}/u, lookAlike: /[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹοινυραϲϳκ]/u },
  { letter: /\p{sc=Armn}/u, lookAlike: /[ՕՏՍԼօոսցհյզ]/u },
  { letter: /\p{sc=Cher}/u, lookAlike: /\p{sc=Cher}/u },
  { letter: /\p{sc=Lisu}/u, lookAlike: /\p{sc=Lisu}/u },
  { letter: /\p{sc=Copt}/u, lookAlike: /\p{sc=Copt}/u },
];

// Their letters and signs do not look like ASCII.
const besideLatin =
  /[\p{sc=Latn}\p{sc=Han}\p{sc=Hang}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Zyyy}\p{sc=Zinh}]/u;

/** Signs that look like a hyphen, slash, comma, point or colon. */
const punctuation = /[‐‑‒–—―−⁃˗∕⁄⧸╱‚٫٬։꞉∶׃ː]/u;
/** Letters of Latin itself that look like others. */
const latin = /[ɑɡǀǃɩʟ]/u;

/** The scripts in which a text is written, and not only imitated. */
function listScripts(text: string): ReadonlySet<RegExp> {
  const own = scripts.filter(({ letter, lookAlike }) =>
    [...text].some((character) => letter.test(character) && !lookAlike.test(character)),
  );
  return new Set(own.map(({ letter }) => letter));
}

/** Words so short that a script has many in which each letter looks like another. */
const SHORT_WORD = /^\p{L}{1,2}$/u;

/** The characters of a word that look like others. */
function findLookAlikes(word: string, written: ReadonlySet<RegExp>): ReadonlySet<string> {
  const found = new Set<string>();
  const characters = [...word].filter((character) => !isPlain(character));
  if (characters.length === 0) return found;
  const hasLatin = /\p{sc=Latn}/u.test(word);
  const used = scripts.filter(({ letter }) => letter.test(word));
  const isMixed = used.length > 1 || (hasLatin && characters.some(isForeign));
  const isImitation = used.some(({ letter, lookAlike }) => {
    const letters = characters.filter((character) => letter.test(character));
    const isShort = SHORT_WORD.test(word) && written.has(letter);
    return letters.every((character) => lookAlike.test(character)) && !isShort;
  });
  const isNamed = /[A-Za-z0-9]/.test(word);
  for (const character of characters) {
    const isSuspect =
      ((isMixed || isImitation) && isForeign(character)) ||
      (isNamed && punctuation.test(character)) ||
      latin.test(character) ||
      /\p{Nd}/u.test(character) ||
      /^[!-~]+$/.test(character.normalize("NFKC"));
    if (isSuspect) found.add(character);
  }
  return found;
}

function isForeign(character: string): boolean {
  return !besideLatin.test(character);
}

function isPlain(character: string): boolean {
  return character <= "\u007f";
}

function quote(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
