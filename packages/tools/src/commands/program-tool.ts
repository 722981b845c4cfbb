/**
 * A tool by a document: a program, its arguments, and the schema of its input.
 *
 * 1. An argument is a fixed text, or one field of the input as a whole. No shell reads it.
 * 2. A field that begins with a dash is refused: the program would take it for an option.
 */
import type { JsonObject, JsonValue } from "@turnseal/protocol";
import { isToolReference } from "@turnseal/protocol";
import { type Loop, notDone } from "@turnseal/protocol/authoring";
import type { CommandEnd } from "../sandbox/run-command.ts";
import { type CommandWorkspace, defineCommand } from "./define-command.ts";

export interface ProgramDocument {
  /** Its name in a grant: `<namespace>.<name>`. */
  readonly name: string;
  readonly description: string;
  /** Arguments, the program first: `{{field}}` stands for a field of the input. */
  readonly argv: readonly string[];
  /** The JSON Schema of the input. */
  readonly input: JsonObject;
  /** `json`: the program reads the input from its standard input. */
  readonly stdin?: "json";
  readonly timeoutMs?: number;
}

const FIELD = /^\{\{([A-Za-z_]\w*)\}\}$/;

/**
 * Makes a tool of a program. It needs a term, such as `grantTerms.commands(root)`.
 *
 * @example
 * const count = programTool(
 *   { name: "words.count", description: "Counts", argv: ["wc", "-w", "{{file}}"], input: schema },
 *   { root: "site", folder: "site", sandbox: bubblewrap() },
 * );
 */
export function programTool(
  document: ProgramDocument,
  workspace: CommandWorkspace,
): Loop<JsonObject, CommandEnd> {
  const { name, description, argv, input: schema, stdin, timeoutMs } = document;
  if (!isToolReference(name)) throw new TypeError(`${name} is no name such as \`words.count\``);
  const [program] = argv;
  if (program === undefined || program.includes("{{"))
    throw new TypeError(`${name} has no fixed program as its first argument`);
  const wrong = argv.find((argument) => argument.includes("{{") && !FIELD.test(argument));
  if (wrong !== undefined)
    throw new TypeError(`${name} has an argument that is neither fixed nor one field: ${wrong}`);
  return defineCommand<JsonObject>(workspace, {
    ...{ id: name, description, schema },
    commandOf: (input) => ({
      argv: argv.map((argument) => fillArgument(argument, input)),
      ...(stdin === undefined ? {} : { stdin: JSON.stringify(input) }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    }),
  });
}

function fillArgument(argument: string, input: JsonObject): string {
  const field = FIELD.exec(argument)?.[1];
  if (field === undefined) return argument;
  const value: JsonValue | undefined = Object.hasOwn(input, field) ? input[field] : undefined;
  if (value === undefined || value === null || typeof value === "object")
    throw notDone(`the field ${field} is no text, number or truth value`);
  const text = String(value);
  if (text.startsWith("-")) throw notDone(`the field ${field} begins with a dash`);
  return text;
}
