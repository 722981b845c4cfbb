/**
 * The card of an approval or a question: the exact action, its cost, its way back, who asks, who
 * decides and until when, and the commands that decide it.
 */
import { sampleValue, type Waiting, type WaitingRequest } from "@turnseal/host";
import {
  type Amounts,
  committed,
  findExactInput,
  isPlainObject,
  type JsonObject,
  type JsonValue,
  PLAN_TOOL,
  type RuleReference,
  type Unit,
} from "@turnseal/protocol";
import { GROUP_TOOL } from "@turnseal/protocol/receipts";
import type { IdleRoot } from "@turnseal/runtime/folder";
import { foldLine } from "../screen/fold-line.ts";
import { formatSpending } from "../screen/format-amounts.ts";
import { formatDuration } from "../screen/format-duration.ts";
import { type Line, line, toned } from "../screen/line.ts";
import { renderDetail } from "../screen/render-field.ts";
import { shortId } from "../screen/short-id.ts";
import {
  approvalCommands,
  describeAgain,
  describeExcluded,
  describeLeft,
  describePeople,
  describeUntil,
  describeWords,
  questionCommands,
} from "./describe-request.ts";
import { describeMayStand } from "./describe-standing.ts";
import { describeUndo } from "./describe-undo.ts";
import { listRestAnswers, readToolQuestion, renderLeft } from "./own-questions.ts";
import { EDIT_TOOL, renderEdits } from "./render-edits.ts";
import { renderGroup } from "./render-group.ts";
import { renderLabelled } from "./render-labelled.ts";
import { renderPlan } from "./render-plan.ts";
import { renderResume } from "./render-resume.ts";

export interface CardOptions {
  /** Shows the request: it is content. */
  readonly content: boolean;
  readonly nowMs: number;
  /** The run to resume so that the answer is read; absent if a process drives it. */
  readonly resume?: IdleRoot | undefined;
}

/** A card is read at this width: most terminals have it, and few have less. */
export const CARD_COLUMNS = 80;

/** Renders a card. */
export function renderRequest(
  request: WaitingRequest,
  waiting: Waiting,
  options: CardOptions,
): Line[] {
  const isApproval = request.kind === "approval";
  const card = [
    renderTitle(request),
    ...renderDetail("run", `${request.run}, turn ${request.turn}`),
    ...renderDetail("again", describeAgain(request)),
    ...renderContent(request, options),
    ...renderDescription(request, options),
    ...(isApproval
      ? renderConsequences(request, waiting, options)
      : renderWanted(request, options)),
    ...renderDetail(isApproval ? "decides" : "answers", describePeople(request)),
    ...renderDetail("not by", describeExcluded(request)),
    ...renderDetail("decisions", describeWords(request, waiting)),
    ...renderDetail("until", describeTimes(request, options.nowMs)),
    ...renderDetail("may stand", describeMayStand(request.mayStand)),
    ...renderDetail("spent", formatSpending(waiting.spending, waiting.budget)),
    ...(waiting.answered.has(request.hash)
      ? renderResumeOf(options)
      : (isApproval ? approvalCommands(request) : questionCommands(request)).map(renderCommand)),
  ];
  return card.flatMap((row) => foldLine(row, CARD_COLUMNS));
}

/** The next command after an answer: none if a worker reads it. */
export function renderResumeOf({ resume }: Pick<CardOptions, "resume">): Line[] {
  return resume === undefined ? [] : [renderResume(resume)];
}

/** A card as one line of a list. */
export function renderRequestRow(
  request: WaitingRequest,
  { answered }: Pick<Waiting, "answered">,
  nowMs: number,
): Line {
  const { id, kind, name, loop, run, role, decideBy, hash } = request;
  const who = role === null ? "" : `  for ${role}`;
  const left = decideBy === null ? "" : `, ${describeLeft(decideBy, nowMs)}`;
  return line(
    toned("strong", shortId(id)),
    "  ",
    toned("warning", kind.padEnd(8)),
    `  ${kind === "approval" ? name : loop}${who}`,
    toned("faint", `  run ${shortId(run)}`),
    toned("faint", answered.has(hash) ? ANSWERED : left),
  );
}

/** How a row says so. */
export const ANSWERED = ", answered, not applied yet";

/** The same for programs. The content of the request is left out unless it is wanted. */
export function toJsonRequest(
  {
    request,
    description,
    because,
    hash,
    sequence,
    call,
    parentCall,
    key,
    facts,
    ...known
  }: WaitingRequest,
  { content, kept, answered }: Pick<CardOptions, "content"> & Pick<Waiting, "kept" | "answered">,
): object {
  return {
    ...known,
    event: sequence,
    ...facts,
    ...(content && request !== undefined ? { request } : {}),
    ...(content && description !== undefined ? { description } : {}),
    ...(content && because !== undefined ? { because } : {}),
    kept: kept.filter(({ about }) => about === hash).map(({ by, said }) => ({ by, said })),
    isAnswered: answered.has(hash),
  };
}

function renderTitle({ kind, id, name, version, loop }: WaitingRequest): Line {
  const isApproval = kind === "approval";
  return line(
    toned("warning", kind),
    " ",
    toned("strong", shortId(id)),
    isApproval ? `  ${name} needs approval` : `  ${loop} asks`,
    toned("faint", `  ${loop} ${version}`),
  );
}

/** The whole request. */
export function renderContent(asked: WaitingRequest, { content }: CardOptions): Line[] {
  const { id, request, kind, name, loop, run } = asked;
  const label = kind === "approval" ? "arguments" : "asks";
  if (!content) return renderDetail(label, `hidden here: see turnseal inbox ${shortId(id)}`);
  if (request === undefined) return renderDetail(label, "erased");
  if (name === PLAN_TOOL && isPlainObject(request)) return renderPlan(request["document"], run);
  if (name === GROUP_TOOL && isPlainObject(request)) return renderGroup(request as JsonObject);
  const ofTool = readToolQuestion(asked);
  if (ofTool !== undefined) return renderLabelled(label, ofTool.question);
  const diff = name === EDIT_TOOL ? renderEdits(request) : undefined;
  return diff ?? renderLeft({ loop, run }, request) ?? renderLabelled(label, request);
}

/** The tool's own question. Its words may come from a model, and are shown like arguments. */
function renderDescription({ description }: WaitingRequest, { content }: CardOptions): Line[] {
  return description === undefined || !content ? [] : renderLabelled("asks", description);
}

const effects: ReadonlyMap<JsonValue | undefined, string> = new Map([
  ["read", "changes nothing"],
  ["idempotent", "acts once per key, so it is called again after a crash"],
  ["reconcile", "after a crash the tool is asked whether it acted"],
  ["once", "after a crash a person is asked whether it acted"],
]);

/** The cost of the action, its way back, the rule that asks, and the effect of a rejection. */
function renderConsequences(
  asked: WaitingRequest,
  waiting: Waiting,
  { content }: CardOptions,
): Line[] {
  const { facts, role, name, because } = asked;
  const { onReject } = facts;
  return [
    ...(name === PLAN_TOOL
      ? renderDetail("approval", describePlanApproval(content ? asked.request : undefined))
      : renderDeed(asked, waiting)),
    ...renderDetail(
      "asked by",
      isToolsOwn(facts, role) ? describeOwn(name) : describeRule(facts["rule"]),
    ),
    ...renderDetail("because", content ? because : undefined),
    ...renderDetail(
      "rejection",
      onReject === "tell" ? "goes back to the loop that asks" : "ends the run",
    ),
  ];
}

/** The worth of approving a plan: rules can count it for steps whose arguments all stand in it. */
function describePlanApproval(request: JsonValue | undefined): string {
  const rest = "lets the plan start; rules may still ask for approvals";
  const document = isPlainObject(request) ? request["document"] : undefined;
  const steps = isPlainObject(document) ? document["steps"] : undefined;
  if (!isPlainObject(document) || !Array.isArray(steps))
    return `${rest}, unless they say that a plan suffices`;
  const exact = steps.filter(isPlainObject).filter(({ loop }, index) => {
    const place = { index, loop: String(loop) };
    return findExactInput(document as JsonObject, place) !== undefined;
  });
  const names = exact.map(({ id }) => String(id)).join(", ");
  return names === "" ? rest : `${rest}, unless they say that a plan suffices: ${names}`;
}

const GROUP_APPROVAL = [
  "is for all members: each is done in this order, or none;",
  "if one fails, those with a compensation are taken back",
].join(" ");

/** A plan does nothing by itself: its steps do. */
function renderDeed({ facts, name }: WaitingRequest, waiting: Waiting): Line[] {
  const { reserve, effect } = facts;
  // A group has no such facts: its members have, each with its own cost and way back.
  if (name === GROUP_TOOL) return renderDetail("approval", GROUP_APPROVAL);
  return [
    ...renderDetail("costs", describeCosts(reserve as Amounts, waiting)),
    ...renderDetail("undo", describeUndo(facts)),
    ...renderDetail("declared", `${effect}: ${effects.get(effect) ?? "unknown"}`),
  ];
}

function describeOwn(tool: string): string {
  return tool === PLAN_TOOL ? "no rule: every plan needs an approval" : "the tool itself";
}

/** True when neither a rule nor a term of the grant, which has a role, wants the approval. */
function isToolsOwn({ rule, gate }: WaitingRequest["facts"], role: string | null): boolean {
  return rule === undefined && role === null && gate !== undefined;
}

function renderWanted(request: WaitingRequest, { content }: CardOptions): Line[] {
  const { loop, version } = request;
  const ofTool = readToolQuestion(request);
  if (ofTool !== undefined && content) {
    const sample = JSON.stringify(sampleValue(ofTool.schema));
    return [
      ...renderLabelled("schema", ofTool.schema),
      // Words of a tool in it may hide something: then the schema has to do.
      ...(isPlainAscii.test(sample) ? renderDetail("such as", sample) : []),
    ];
  }
  const answers = listRestAnswers(loop);
  if (answers !== undefined)
    return renderDetail("answer", answers.map(([rest, says]) => `${rest}: ${says}`).join("; "));
  return renderDetail("schema", `the output of ${loop} ${version}: turnseal loops ${loop} --json`);
}

const isPlainAscii = /^[\x20-\x7e]*$/;

function describeCosts(reserve: Amounts, { spending, budget }: Waiting): string {
  const used = committed(spending);
  const parts = Object.keys(reserve).map((name) => {
    const unit = name as Unit;
    const cap = budget[unit];
    const left = cap === undefined ? undefined : cap - (used[unit] ?? 0);
    const isOver = left !== undefined && left < (reserve[unit] ?? 0);
    const rest = left === undefined ? "no cap" : `${left} left of ${cap}`;
    return `${unit} ${reserve[unit]} (${isOver ? "more than the budget has: " : ""}${rest})`;
  });
  return parts.length === 0 ? "nothing counted" : parts.join(", ");
}

/** A rule by what people find it by; without one a term of the grant wants the approval. */
export function describeRule(rule: JsonValue | RuleReference | undefined): string {
  if (!isPlainObject(rule)) return "the grant itself";
  const { id, file, line: at } = rule;
  return file === undefined ? `rule ${id}` : `rule ${id}, ${file}:${at}`;
}

function describeTimes({ decideBy, facts }: WaitingRequest, nowMs: number): string {
  const until = describeUntil(decideBy, nowMs);
  const { useWithinMs } = facts;
  const use =
    typeof useWithinMs === "number"
      ? `; once approved, it must start within ${formatDuration(useWithinMs)}`
      : "";
  return decideBy === null ? until : `${until}${use}`;
}

function renderCommand(command: string, index: number): Line {
  return line("  ", toned("faint", index === 0 ? "next: " : "  or: "), command);
}
