/**
 * The card of an approval or a question in at most five lines: the action, its arguments, who
 * decides, until when, and how. `turnseal inbox <id>` shows the whole card.
 *
 * A value that does not fit is cut, and the line names the place of the whole. A person must not
 * approve arguments that look complete and are not.
 */
import type { Waiting, WaitingRequest } from "@turnseal/host";
import { isPlainObject, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { cutLine, type Line, line, measureText, toned } from "../screen/line.ts";
import { renderDetail } from "../screen/render-field.ts";
import { shortId } from "../screen/short-id.ts";
import {
  approvalCommands,
  describeExcluded,
  describePeople,
  describeUntil,
  describeWords,
  questionCommands,
} from "./describe-request.ts";
import { readToolQuestion } from "./own-questions.ts";
import { renderLabelled } from "./render-labelled.ts";
import { CARD_COLUMNS, type CardOptions, renderContent, renderResumeOf } from "./render-request.ts";

/** The columns before a value. */
const VALUE_INDENT = 12;

/** The lines that a card takes at most. */
export const BRIEF_LINES_MAX = 5;

export function renderBrief(
  request: WaitingRequest,
  waiting: Waiting,
  options: CardOptions,
): Line[] {
  const isApproval = request.kind === "approval";
  const excluded = describeExcluded(request);
  const words = describeWords(request, waiting);
  const people = [
    describePeople(request),
    ...(excluded === undefined ? [] : [`not ${excluded}`]),
    ...(words === "none yet" ? [] : [words]),
  ];
  const until = describeUntil(request.decideBy, options.nowMs);
  const decides = isApproval ? "decides" : "answers";
  // A reason takes a line, so the time shares one.
  const because = options.content ? request.because : undefined;
  const who = because === undefined ? people : [...people, `until ${until}`];
  const rows = [
    renderTitle(request, options),
    renderArguments(request, options),
    ...renderDetail("because", because),
    ...renderDetail(decides, who.join("; ")),
    ...renderDetail("until", because === undefined ? until : undefined),
    ...(waiting.answered.has(request.hash) ? renderResumeOf(options) : [renderAnswers(request)]),
  ];
  return rows.slice(0, BRIEF_LINES_MAX).map((row) => cutLine(row, CARD_COLUMNS));
}

/** The tool's own question where it has one, else the loop. */
function renderTitle(request: WaitingRequest, { content }: CardOptions): Line {
  const { kind, id, name, loop, version, description } = request;
  const isApproval = kind === "approval";
  const asks = content && description !== undefined ? quoteQuestion(description) : undefined;
  return line(
    toned("warning", kind),
    " ",
    toned("strong", shortId(id)),
    isApproval ? `  ${name} needs approval${describeChange(request)}` : `  ${loop} asks`,
    asks === undefined ? toned("faint", `  ${loop} ${version}`) : `: ${asks}`,
  );
}

function describeChange({ facts: { replaces } }: WaitingRequest): string {
  return replaces === undefined ? "" : ` again: its code has changed`;
}

/** The words of the tool where they are short and hide nothing; else the card has them. */
function quoteQuestion(description: string): string {
  const [first, ...rest] = renderLabelled("asks", description);
  const text = first?.spans.map((span) => span.text).join("") ?? "";
  return rest.length === 0 ? text.replace(/^\s*asks\s*/, "") : "its question is on the whole card";
}

/** All arguments on one line, where they fit; else the short ones, such as a target, come first. */
function renderArguments(asked: WaitingRequest, options: CardOptions): Line {
  const whole = joinArguments(asked, options);
  const request = { ...asked, request: sortByLength(asked.request) };
  return whole.isCut ? joinArguments(request, options).row : whole.row;
}

function sortByLength(request: JsonValue | undefined): JsonValue | undefined {
  if (!isPlainObject(request)) return request;
  const lengthOf = (value: JsonValue | undefined): number => JSON.stringify(value ?? null).length;
  const fields = Object.entries(request as JsonObject);
  return Object.fromEntries(fields.toSorted(([, a], [, b]) => lengthOf(a) - lengthOf(b)));
}

interface JoinedArguments {
  readonly row: Line;
  readonly isCut: boolean;
}

/** The arguments on one line, which hides nothing. */
function joinArguments(request: WaitingRequest, options: CardOptions): JoinedArguments {
  const [first = line(""), ...rest] = renderContent(request, options);
  const pointer = `turnseal inbox ${shortId(request.id)}`;
  const label = request.kind === "approval" ? "arguments" : "words";
  const texts = rest.map(({ spans }) => spans.map(({ text }) => text).join(""));
  if (texts.some((text) => text.trimStart().startsWith("beware"))) {
    const hidden = `hidden characters in the ${label}: ${pointer}`;
    const row = line("  ", toned("faint", "beware".padEnd(10)), toned("bad", hidden));
    return { row, isCut: false };
  }
  // A long text goes on in the next line; arguments have a line each.
  const more =
    readToolQuestion(request) === undefined
      ? texts.flatMap((text) => [", ", joinName(text)])
      : texts.map((text) => text.slice(VALUE_INDENT));
  const all = line(...first.spans, ...more);
  const measured = all.spans.reduce((sum, { text }) => sum + measureText(text), 0);
  if (measured <= CARD_COLUMNS) return { row: all, isCut: false };
  const hint = ` all: ${pointer}`;
  const cut = cutLine(all, CARD_COLUMNS - measureText(hint));
  return { row: line(...cut.spans, toned("faint", hint)), isCut: true };
}

/** Without the blanks that put values below each other. */
function joinName(text: string): string {
  return text.trim().replace(/ {2,}/, "  ");
}

function renderAnswers(request: WaitingRequest): Line {
  const isApproval = request.kind === "approval";
  const commands = isApproval ? approvalCommands(request) : questionCommands(request);
  const spans = commands
    .slice(0, isApproval ? 2 : 1)
    .flatMap((command, index) => [toned("faint", index === 0 ? "next: " : "  or: "), command]);
  return line("  ", ...spans);
}
