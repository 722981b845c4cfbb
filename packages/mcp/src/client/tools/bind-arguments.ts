/**
 * The arguments that the model does not choose: the key of the action, and values of the operator.
 *
 * 1. The schema that the model sees refuses them: what is shown of a call is what is sent.
 * 2. The whole call is validated by the schema of the server before it is sent.
 */
import { createValidator } from "@turnseal/kernel";
import { isPlainObject, type JsonObject } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import { parseActionKey } from "../config/action-key.ts";
import type { McpToolSettings } from "../config/server-config.ts";
import type { PinnedTool } from "../pins/pin.ts";

export interface BoundArguments {
  /** The schema for the model. */
  readonly schema: JsonObject;
  /** The parts of a call. Throws `notDone` where the server's schema refuses it. */
  fill(input: JsonObject, key: string): FilledCall;
}

export interface FilledCall {
  readonly arguments: JsonObject;
  readonly meta?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Throws a TypeError where the operator names an argument that the tool does not have. */
export function bindArguments(
  { name, inputSchema }: PinnedTool,
  { key, provided = {} }: McpToolSettings,
): BoundArguments {
  const place = key === undefined ? undefined : parseActionKey(key);
  if (key !== undefined && place === undefined) throw new TypeError(`${key} is no place of a key`);
  const taken = [...Object.keys(provided), ...(place?.kind === "args" ? [place.name] : [])];
  const missing = taken.find((argument) => !hasArgument(inputSchema, argument));
  if (missing !== undefined) throw new TypeError(`the tool ${name} has no argument \`${missing}\``);
  const validate = createValidator(inputSchema);
  return {
    schema: withoutArguments(inputSchema, taken),
    fill: (input, actionKey) => {
      const own = place?.kind === "args" ? { [place.name]: actionKey } : {};
      const filled: JsonObject = { ...input, ...provided, ...own };
      const [fault] = validate(filled);
      if (fault !== undefined) throw notDone(`the server's schema refuses the call: ${fault}`);
      return {
        arguments: filled,
        ...(place?.kind === "meta" ? { meta: { [place.name]: actionKey } } : {}),
        ...(place?.kind === "header" ? { headers: { [place.name]: actionKey } } : {}),
      };
    },
  };
}

function hasArgument({ properties }: JsonObject, name: string): boolean {
  return isPlainObject(properties) && Object.hasOwn(properties, name);
}

/** An open schema takes any name that is only left out, so each is refused by its name. */
function withoutArguments(schema: JsonObject, taken: readonly string[]): JsonObject {
  const { properties = {}, required = [] } = schema;
  if (taken.length === 0) return schema;
  const refused = taken.map((name) => [name, false] as const);
  const needed = (required as readonly string[]).filter((name) => !taken.includes(name));
  return {
    ...schema,
    properties: Object.fromEntries([...Object.entries(properties as JsonObject), ...refused]),
    required: needed,
  };
}
