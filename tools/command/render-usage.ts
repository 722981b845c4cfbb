import type { Option, Options } from "./options.ts";

/** What a command says of itself. */
export interface Command<Asked extends Options = Options> {
  /** What is typed before the options, such as `npm run proof crash`. */
  readonly name: string;
  /** Whole sentences, a line each. */
  readonly about: readonly string[];
  /** What must be there besides Node and what `npm install` brings. */
  readonly needs?: string;
  /** How long it takes, as it comes. */
  readonly lasts: string;
  readonly options: Asked;
}

/** The answer to `--help`, and what follows every refusal. */
export function renderUsage({ name, about, needs, lasts, options }: Command): string {
  const rows = [...Object.entries(options).map(describeOption), ["--help", "this text"] as const];
  const width = Math.max(...rows.map(([shown]) => shown.length));
  const lines = [
    `usage: ${renderSynopsis(name, options)}`,
    "",
    ...about,
    "",
    ...rows.map(([shown, says]) => `  ${shown.padEnd(width)}  ${says}`),
    "",
    ...(needs === undefined ? [] : [`It needs ${needs}.`]),
    `It takes ${lasts}.`,
  ];
  return `${lines.join("\n")}\n`;
}

function renderSynopsis(name: string, options: Options): string {
  const parts = Object.entries(options).map(([option, each]) => {
    const shown = nameOption(option, each);
    return each.operand === "required" ? shown : `[${shown}]`;
  });
  if (parts.length === 0) return name;
  // npm keeps to itself what stands before the dashes.
  return [name.includes(" -- ") ? name : `${name} --`, ...parts].join(" ");
}

function describeOption([name, option]: readonly [string, Option<unknown>]) {
  const usual = renderDefault(option.default);
  return [nameOption(name, option), `${option.says}${usual}`] as const;
}

/** As it is typed: `--seed <number>`, `--json`, or `<folder>`. */
function nameOption(name: string, { takes, operand }: Option<unknown>): string {
  if (operand !== undefined) return `<${takes}>`;
  return takes === undefined ? `--${name}` : `--${name} <${takes}>`;
}

function renderDefault(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "" : ` (default ${value.join(",")})`;
  const isShown = typeof value === "number" || typeof value === "string";
  return isShown ? ` (default ${value})` : "";
}
