/** The options of a command: an option of each kind reads its own text. */
export interface Option<Value> {
  /** One clause for the usage. */
  readonly says: string;
  /** The name of its value in the usage; a flag has none. */
  readonly takes?: string;
  /** The rule for a value, in the words of a refusal. */
  readonly wants: string;
  /** For an argument by position, without a name. */
  readonly operand?: "optional" | "required";
  /** The value without the option. */
  readonly default: Value;
  /** Returns the value after one more text; undefined refuses the text. */
  apply(before: Value, text: string): Value | undefined;
}

/** The options of a command, by their names. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** Is there or is not. */
export function flag(says: string): Option<boolean> {
  return { says, wants: "given without a value", default: false, apply: () => true };
}

/** The last line on stdout for programs, which every command of figures has. */
export const json = flag("one last line for programs: figures, goals, and whether they are met");

interface TextOption<Default> {
  readonly takes: string;
  readonly says: string;
  readonly default: Default;
}

interface NumberOption<Default> extends TextOption<Default> {
  /** Any whole number is taken where it is left out. */
  readonly atLeast?: number;
}

export function wholeNumber<Default extends number | undefined>({
  atLeast,
  ...shown
}: NumberOption<Default>): Option<number | Default> {
  const bound = atLeast === undefined ? "" : ` of at least ${atLeast}`;
  return {
    ...shown,
    wants: `a whole number${bound}`,
    apply: (_, text) => parseWhole(text, atLeast),
  };
}

/** Several whole numbers in one text, with commas between them. */
export function wholeNumbers({
  atLeast,
  ...shown
}: NumberOption<readonly number[]>): Option<readonly number[]> {
  const bound = atLeast === undefined ? "" : ` of at least ${atLeast}`;
  return {
    ...shown,
    wants: `whole numbers${bound} with commas between them`,
    apply: (_, text) => {
      const numbers = text.split(",").map((part) => parseWhole(part, atLeast));
      return numbers.every((number) => number !== undefined) ? numbers : undefined;
    },
  };
}

/** One of a list of names. */
export function oneOf<Name extends string>(
  names: readonly Name[],
  shown: Omit<TextOption<undefined>, "default">,
): Option<Name | undefined> {
  return {
    ...shown,
    wants: wantOneOf(names),
    default: undefined,
    apply: (_, text) => names.find((name) => name === text),
  };
}

/** Some of a list of names: it may be repeated. */
export function someOf<Name extends string>(
  names: readonly Name[],
  shown: Omit<TextOption<undefined>, "default">,
): Option<readonly Name[]> {
  return {
    ...shown,
    wants: wantOneOf(names),
    default: [],
    apply: (before, text) => {
      const name = names.find((known) => known === text);
      return name === undefined ? undefined : [...before, name];
    },
  };
}

/** Any text that says something, such as the name of a folder. */
export function words(shown: TextOption<string>): Option<string> {
  return {
    ...shown,
    wants: `a ${shown.takes}`,
    apply: (_, text) => (text.trim() === "" ? undefined : text),
  };
}

/** The same option, given by its place: a command has one such place at most. */
export function operand<Value>(
  option: Option<Value>,
  place: "optional" | "required",
): Option<Value> {
  return { ...option, operand: place };
}

function parseWhole(text: string, atLeast = Number.MIN_SAFE_INTEGER): number | undefined {
  // An empty text would be zero.
  const number = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isSafeInteger(number) && number >= atLeast ? number : undefined;
}

function wantOneOf(names: readonly string[]): string {
  return `one of ${names.map((name) => (name.includes(" ") ? `"${name}"` : name)).join(", ")}`;
}
