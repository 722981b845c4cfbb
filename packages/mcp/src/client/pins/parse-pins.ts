/** Pins from a foreign value, such as a file of the project. */
import { isPlainObject } from "@turnseal/protocol";
import { type Check, hasOnly, isListOf, isOneOf, isText } from "@turnseal/protocol/shape";
import { SERVER_TOOLS_MAX } from "../limits.ts";
import type { ServerPin } from "./pin.ts";
import { readTool } from "./read-tool.ts";

const isTexts = isListOf(isText);
const isFiles: Check = (value) => isPlainObject(value) && Object.values(value).every(isText);
const isProgram = hasOnly({ kind: isOneOf(["program"]), command: isTexts, files: isFiles });
const isAddress = hasOnly({ kind: isOneOf(["address"]), url: isText });
const isRefused = hasOnly({ name: isText, why: isText });
const hasPin = hasOnly({
  identity: (value: unknown) => isProgram(value) || isAddress(value),
  era: isOneOf(["modern", "legacy"]),
  tools: isListOf(isPlainObject as (value: unknown) => value is object, { most: SERVER_TOOLS_MAX }),
  refused: isListOf(isRefused, { most: SERVER_TOOLS_MAX }),
});

/** The pins by server, or undefined where one of them is none. */
export function parsePins(value: unknown): ReadonlyMap<string, ServerPin> | undefined {
  const servers = isPlainObject(value) ? value["servers"] : undefined;
  if (!isPlainObject(servers)) return undefined;
  const entries = Object.entries(servers);
  const isWhole = entries.every(([server, pin]) => isPin(server, pin));
  return isWhole ? new Map(entries as [string, ServerPin][]) : undefined;
}

function isPin(server: string, pin: unknown): boolean {
  if (!hasPin(pin)) return false;
  const read = pin.tools.map((tool) => readTool(server, tool));
  const names = read.flatMap((one) => (one.kind === "read" ? [one.tool.name] : []));
  return names.length === read.length && new Set(names).size === names.length;
}

/** The text of a file of pins: the same pins give the same bytes. */
export function renderPins(pins: ReadonlyMap<string, ServerPin>): string {
  const servers = Object.fromEntries([...pins].sort(([one], [other]) => (one < other ? -1 : 1)));
  return `${JSON.stringify({ servers }, null, 2)}\n`;
}
