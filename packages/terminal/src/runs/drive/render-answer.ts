import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import { hasFields, type Is, isFlag, isListOf, isText } from "@turnseal/protocol/shape";
import { type Line, line, toned } from "../../screen/line.ts";

const INDENT = "  ";

/**
 * Renders what a run answered: a text as it reads, anything else as JSON. Each row of a terminal
 * begins with what is ours, so that an answer cannot look like a line of the command.
 */
export function renderAnswer(output: JsonValue): Line[] {
  const agent = readAgent(output);
  const text = agent?.text ?? textOf(output) ?? JSON.stringify(output, null, 2);
  return [
    line(toned("strong", "answer")),
    ...renderRows(text),
    ...(agent === undefined
      ? []
      : [...renderList("did", agent.did), ...renderList("left", agent.left)]),
  ];
}

function renderRows(text: string): Line[] {
  return text.split(/\r?\n/).map((row) => line(INDENT, row));
}

function renderList(title: string, items: readonly string[]): Line[] {
  if (items.length === 0) return [];
  return [line(toned("strong", title)), ...items.flatMap((item) => renderRows(item))];
}

interface AgentAnswer {
  readonly text: string;
  readonly did: readonly string[];
  readonly left: readonly string[];
}

const isAgentAnswer: Is<AgentAnswer> = hasFields({
  ...{ text: isText, done: isFlag, stopped: isText },
  ...{ did: isListOf(isText), left: isListOf(isText) },
});

/** The answer of an agent (workflow.md §7.6): words, and the facts behind them. */
function readAgent(output: JsonValue): AgentAnswer | undefined {
  return isAgentAnswer(output) ? output : undefined;
}

function textOf(output: JsonValue): string | undefined {
  if (typeof output === "string") return output;
  if (!isPlainObject(output)) return undefined;
  const { text, ...rest } = output;
  return typeof text === "string" && Object.keys(rest).length === 0 ? text : undefined;
}
