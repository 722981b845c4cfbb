/**
 * Where tables and keys stand in a TOML text. The parser gives values without places; this reads
 * just enough of the same text to find them, and only a text that the parser has accepted.
 */

/** A table: the part of the text under one header. The first one has no header. */
export interface TomlTable {
  /** As in `[[name]]` and `[name]`, without quotes and spaces; empty before the first header. */
  readonly name: string;
  /** True for `[[name]]`, which begins an item of a list. */
  readonly isItem: boolean;
  /** Counts from one, as all lines here. */
  readonly line: number;
  readonly keys: ReadonlyMap<string, number>;
}

/** Lists the tables of a text. */
export function listTomlTables(text: string): TomlTable[] {
  let keys = new Map<string, number>();
  const tables: TomlTable[] = [{ name: "", isItem: false, line: 1, keys }];
  let line = 1;
  let rest = text;
  while (rest !== "") {
    const statement = readStatement(rest);
    const [, open = "", name = ""] = isHeader.exec(statement) ?? [];
    const [, key = ""] = isKey.exec(statement) ?? [];
    if (open !== "") {
      keys = new Map();
      tables.push({ name: unquote(name), isItem: open === "[[", line, keys });
    } else if (key !== "") keys.set(unquote(key), line);
    line += statement.split("\n").length - 1;
    rest = rest.slice(statement.length);
  }
  return tables;
}

const isHeader = /^[ \t]*(\[\[?)([^\]]*)\]/;
const isKey = /^[ \t]*((?:[\w-]+|"[^"\n]*"|'[^'\n]*')[^=\n]*)=/;

// A quoted part, a comment, a bracket or a line end: everything else is passed over. Quotes of
// three come first, so that they are not taken for an empty text.
const mark = new RegExp(
  [
    /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}/,
    /'''(?:[^']|'(?!''))*'{3,5}/,
    /"(?:[^"\\\n]|\\.)*"/,
    /'[^'\n]*'/,
    /#[^\n]*/,
    /[[\]{}\n]/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** The text up to and with the line end at which no bracket or quote is open. */
function readStatement(text: string): string {
  let depth = 0;
  mark.lastIndex = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [token] = found;
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    else if (token === "\n" && depth <= 0) return text.slice(0, mark.lastIndex);
  }
  return text;
}

function unquote(name: string): string {
  return name.trim().replace(/^(["'])(.*)\1$/, "$2");
}
