/**
 * Reads the arguments of every command for the people who work on this repository.
 *
 * 1. `--help` is answered with the usage on stdout, and the end is 0.
 * 2. An unknown, missing or invalid option is answered on stderr with one line that names it, and
 *    with the usage. The exit code is 64, and no work was done.
 */
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import type { Option, Options } from "./options.ts";
import { type Command, renderUsage } from "./render-usage.ts";

/** Our own command ends so too when its command line is wrong. */
const EXIT_USAGE = 64;

export type ValuesOf<Asked extends Options> = {
  readonly [Name in keyof Asked]: Asked[Name] extends Option<infer Value> ? Value : never;
};

export type ParsedOptions<Asked extends Options> =
  | { readonly kind: "parsed"; readonly values: ValuesOf<Asked> }
  | { readonly kind: "help" }
  | { readonly kind: "refused"; readonly problem: string };

/** Reads the options of this process. If they ask for help or are wrong, the process ends here. */
export function readOptions<Asked extends Options>(
  command: Command<Asked>,
  args: readonly string[] = process.argv.slice(2),
): ValuesOf<Asked> {
  const parsed = parseOptions(command.options, args);
  if (parsed.kind === "parsed") return parsed.values;
  if (parsed.kind === "refused") return refuseUse(command, parsed.problem);
  process.stdout.write(renderUsage(command));
  process.exit(0);
}

/** Ends the process because of invalid arguments. */
export function refuseUse(command: Command, problem: string): never {
  process.stderr.write(`${problem}\n\n${renderUsage(command)}`);
  process.exit(EXIT_USAGE);
}

export function parseOptions<Asked extends Options>(
  options: Asked,
  args: readonly string[],
): ParsedOptions<Asked> {
  const given = listGiven(options, args);
  if (given.some(({ label }) => label === "--help" || label === "-h")) return { kind: "help" };
  const values = new Map(Object.entries(options).map(([name, each]) => [name, each.default]));
  for (const { label, name, text } of given) {
    const option = name === undefined ? undefined : options[name];
    if (name === undefined || option === undefined) return refuse(describeStray(label, text));
    if (option.takes !== undefined && text === undefined)
      return refuse(`${label} needs a value: ${option.wants}`);
    const isFlagWithText = option.takes === undefined && text !== undefined;
    const value = isFlagWithText ? undefined : option.apply(values.get(name), text ?? "");
    if (value === undefined) return refuse(`${label} must be ${option.wants}, not "${text}"`);
    values.set(name, value);
  }
  const missing = Object.entries(options).find(
    ([name, each]) => each.operand === "required" && !given.some((one) => one.name === name),
  );
  if (missing !== undefined) return refuse(`<${missing[1].takes}> is missing: ${missing[1].wants}`);
  // Every name has the value that its own option made.
  return { kind: "parsed", values: Object.fromEntries(values) as ValuesOf<Asked> };
}

/** One argument. */
interface Given {
  /** As it was typed, or what its place is called; nothing where there is no place for it. */
  readonly label: string | undefined;
  /** Whose it is; nothing where there is no such option. */
  readonly name: string | undefined;
  readonly text: string | undefined;
}

/** In their order, and not judged: Node's parser would throw, and in words of its own. */
function listGiven(options: Options, args: readonly string[]): Given[] {
  const entries = Object.entries(options);
  const named = new Map(entries.filter(([, { operand }]) => operand === undefined));
  const places = entries.filter(([, { operand }]) => operand !== undefined);
  const config: ParseArgsOptionsConfig = Object.fromEntries(
    [...named].map(([name, { takes }]) => [
      name,
      { type: takes === undefined ? "boolean" : "string" },
    ]),
  );
  const { tokens } = parseArgs({ args: [...args], options: config, strict: false, tokens: true });
  return tokens.flatMap((token): Given[] => {
    if (token.kind === "option-terminator") return [];
    if (token.kind === "positional") {
      const [name, option] = places.shift() ?? [];
      return [{ label: option && `<${option.takes}>`, name, text: token.value }];
    }
    // After a forgotten value, the next option follows.
    const isForgotten = token.inlineValue === false && token.value.startsWith("--");
    return [
      {
        label: token.rawName,
        name: named.has(token.name) ? token.name : undefined,
        text: isForgotten ? undefined : token.value,
      },
    ];
  });
}

function describeStray(label: string | undefined, text: string | undefined): string {
  return label === undefined ? `there is no place for "${text}"` : `there is no option ${label}`;
}

function refuse(problem: string): { readonly kind: "refused"; readonly problem: string } {
  return { kind: "refused", problem };
}
