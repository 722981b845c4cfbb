/**
 * The front matter of a `SKILL.md`: the keys `name` and `description` of a small part of YAML.
 *
 * 1. A value is plain, in quotes, or a block after `|` or `>`. Other keys are passed over.
 * 2. Text that this part cannot read is refused, so that no name is read in two ways.
 */
export interface FrontMatter {
  readonly name: string;
  readonly description: string;
  /** The text after the front matter. */
  readonly rest: string;
}

const FENCE = /^---\n([\s\S]*?)\n---(?:\n|$)/;
const KEY = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/;
/** In YAML a plain value that begins so is another kind of value. */
const NO_PLAIN = /^(?:[[\]{}#&*!%@`"'|>]|[-?:](?:\s|$))/;

export function parseFrontMatter(text: string): FrontMatter {
  const unix = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const fence = FENCE.exec(unix);
  if (fence === null) throw new TypeError("SKILL.md does not begin with front matter in `---`");
  const values = readValues((fence[1] ?? "").split("\n"));
  const { name, description } = Object.fromEntries(values);
  if (name === undefined) throw new TypeError("the front matter of SKILL.md has no `name`");
  if (description === undefined)
    throw new TypeError("the front matter of SKILL.md has no `description`");
  return { name, description, rest: unix.slice(fence[0].length).trim() };
}

function readValues(lines: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const end = endOfBlock(lines, at + 1);
    const [, key = "", given = ""] = KEY.exec(line) ?? [];
    if (key === "" && !/^\s*(?:#.*)?$/.test(line))
      throw new TypeError(`line ${at + 2} of SKILL.md is no \`key: value\``);
    if (values.has(key)) throw new TypeError(`the front matter of SKILL.md has \`${key}\` twice`);
    if (key === "name" || key === "description")
      values.set(key, readValue(key, given.trim(), lines.slice(at + 1, end)));
    at = end;
  }
  return values;
}

/** A block is indented: its end is the next line that is not. */
function endOfBlock(lines: readonly string[], from: number): number {
  const end = lines.findIndex((line, at) => at >= from && line !== "" && !/^\s/.test(line));
  return end === -1 ? lines.length : end;
}

function readValue(key: string, given: string, block: readonly string[]): string {
  if (/^[|>]-?$/.test(given)) {
    const joined = given.startsWith("|") ? "\n" : " ";
    return block
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .join(joined);
  }
  const isBlank = block.every((line) => line.trim() === "");
  const value = isBlank ? readLine(given) : undefined;
  if (value !== undefined) return value;
  throw new TypeError(
    `\`${key}\` in SKILL.md cannot be read as plain text: write it on one line, in quotes`,
  );
}

function readLine(given: string): string | undefined {
  if (/^"(?:[^"\\]|\\["\\/])*"$/.test(given)) return given.slice(1, -1).replace(/\\(.)/g, "$1");
  if (/^'(?:[^']|'')*'$/.test(given)) return given.slice(1, -1).replaceAll("''", "'");
  const isPlain = given !== "" && !NO_PLAIN.test(given) && !/:(?:\s|$)|\s#/.test(given);
  return isPlain ? given : undefined;
}
