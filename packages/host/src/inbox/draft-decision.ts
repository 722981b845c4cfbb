/**
 * Takes what a person decided or answered into the log, if it counts.
 *
 * It counts for a request that is open in this run and turn, named by the hash of the event that
 * asked; from a person with the role; in time by the clock of the store that received it. Any other
 * answer is recorded as refused, and the request stays open.
 */

import type { OpenRequest, OpenTurn, RunProjection } from "@turnseal/folds";
import {
  createValidator,
  type EventDraft,
  findLoopLack,
  INPUT_BYTES_MAX,
  OUTPUT_BYTES_MAX,
  type Registry,
} from "@turnseal/kernel";
import type { InboxRow } from "@turnseal/ports";
import {
  APPROVAL_CHOICES,
  areStandingTerms,
  copyJson,
  isPlainObject,
  type JsonValue,
  refuseDecision,
} from "@turnseal/protocol";
import { GROUP_TOOL } from "@turnseal/protocol/receipts";
import { findStandingFault } from "./find-standing-fault.ts";
import { actorOf, isValue, readIdentity, refused } from "./inbox-row.ts";

/** False for an answer or an edit whose loop is not here as it was pinned: others may have it. */
export function canJudge(
  { kind, body }: InboxRow,
  { openTurn, spec }: RunProjection,
  registry: Registry,
): boolean {
  const isEdit = kind === "decide" && body["choice"] === "edit";
  if (!isEdit && kind !== "answer") return true;
  const request = isEdit
    ? findRequest(openTurn, "approval", body["approval"])
    : findRequest(openTurn, "question", body["question"]);
  if (request === undefined || isOfTool(request)) return true;
  const { loop, version } = request;
  const pins = Object.values(spec?.pinned ?? {});
  const pin = pins.find((each) => each.id === loop && each.version === version);
  return pin === undefined || findLoopLack(pin, registry) === undefined;
}

/** Choices: approve, reject, or ask for other arguments. */
export function draftDecision(row: InboxRow, run: RunProjection, registry: Registry): EventDraft {
  const { body, receivedAt } = row;
  const open = run.openTurn;
  const request = findRequest(open, "approval", body["approval"]);
  if (open === null || request === undefined) return refused(row, "not-asked");
  const { reason, arguments: edited } = body;
  const by = readIdentity(body);
  const why = refuseDecision(termsOf(request), { choice: body["choice"], by, receivedAt });
  const choice = APPROVAL_CHOICES.find((known) => known === body["choice"]);
  if (why !== undefined || choice === undefined) return refused(row, why ?? "choice-unknown");
  if (request.approvedBy.includes(by.id)) return refused(row, "decided-already");
  if (choice === "edit" && findMisfit(registry, request, edited) !== undefined)
    return refused(row, "answer-wrong");
  if (reason !== undefined && !isValue(reason)) return refused(row, "answer-wrong");
  const { standing, pattern } = body;
  const asked = { ...request.standing, name: request.name };
  if (findStandingFault(asked, run, { choice, standing, pattern }) !== undefined)
    return refused(row, "standing-refused");
  return {
    ...ownerOf(open, request),
    type: "approval.decided",
    actor: actorOf(body),
    content: {
      key: request.key,
      approval: request.sequence,
      hash: request.hash,
      choice,
      roles: [...by.roles],
      receivedAt,
      ...(areStandingTerms(standing) ? { standing } : {}),
    },
    attached: {
      ...(pattern === undefined ? {} : { pattern }),
      ...(typeof reason === "string" ? { reason } : {}),
      ...(choice === "edit" && edited !== undefined ? { arguments: edited } : {}),
    },
  };
}

/** An answer that does not fit leaves the question open. */
export function draftAnswer(
  row: InboxRow,
  open: OpenTurn | null,
  { registry, asked }: { readonly registry: Registry; readonly asked?: JsonValue | undefined },
): EventDraft {
  const { body, receivedAt } = row;
  const request = findRequest(open, "question", body["question"]);
  if (open === null || request === undefined) return refused(row, "not-asked");
  const by = readIdentity(body);
  const why = refuseDecision(termsOf(request), { choice: "approve", by, receivedAt });
  if (why !== undefined) return refused(row, why);
  const { answer } = body;
  if (
    answer === undefined ||
    findAnswerMisfit(registry, { ...request, asked }, answer) !== undefined
  )
    return refused(row, "answer-wrong");
  return {
    ...ownerOf(open, request),
    type: "question.answered",
    actor: request.name === "agent" ? { kind: "agent", id: by.id } : actorOf(body),
    content: {
      key: request.key,
      question: request.sequence,
      hash: request.hash,
      roles: [...by.roles],
      receivedAt,
    },
    attached: { answer },
  };
}

export function findRequest(
  open: OpenTurn | null,
  kind: OpenRequest["kind"],
  hash: JsonValue | undefined,
): OpenRequest | undefined {
  return open?.asked.find((request) => request.kind === kind && request.hash === hash);
}

/** A question without a time may be answered at any. */
const NEVER = "9999-12-31T23:59:59.999Z";

/** The terms that a decision on it must meet. */
export function termsOf({
  role,
  approvers,
  excluded,
  decideBy,
}: OpenRequest): Parameters<typeof refuseDecision>[0] {
  const named = role === null ? {} : { role };
  return { approvers, excluded, decideBy: decideBy ?? NEVER, ...named };
}

/**
 * False if an edit could only break it: a group is committed as it is held, and a compensation
 * undoes exactly what was done.
 */
export function isEditable({ name, facts }: Pick<OpenRequest, "name" | "facts">): boolean {
  return name !== GROUP_TOOL && facts["takesBack"] === undefined;
}

/**
 * Checks that an edit fits the input of the tool, or an answer the output of the loop. Size counts,
 * too: both become the input and the output of a call. Returns the problem in words.
 */
export function findMisfit(
  registry: Registry,
  request: Pick<OpenRequest, "kind" | "name" | "loop" | "version" | "facts">,
  value: JsonValue | undefined,
): string | undefined {
  const { kind, name, loop, version } = request;
  const isEdit = kind === "approval";
  if (isEdit && !isEditable(request)) return `what ${name} is given cannot be edited`;
  const wrong = `${isEdit ? "the arguments do" : "the answer does"} not fit ${loop}`;
  const checked = registry.resolve(loop, version);
  if (checked === undefined || value === undefined) return wrong;
  const bytesMax = isEdit ? INPUT_BYTES_MAX : OUTPUT_BYTES_MAX;
  if (copyJson(value, bytesMax).kind === "refused")
    return `${wrong}: what is said is JSON of at most ${bytesMax} bytes`;
  const { problems } = isEdit ? checked.validateInput(value) : checked.validateOutput(value);
  return problems.length === 0 ? undefined : wrong;
}

/** True for the question of a tool: it has the schema of its answer in itself. */
export function isOfTool({ kind, facts }: Pick<OpenRequest, "kind" | "facts">): boolean {
  return kind === "question" && facts["claim"] !== undefined;
}

interface AskedRequest extends Pick<OpenRequest, "kind" | "name" | "loop" | "version" | "facts"> {
  /** The content of a tool's question. */
  readonly asked?: JsonValue | undefined;
}

/** Checks that an answer fits its question. Returns the problem in words. */
export function findAnswerMisfit(
  registry: Registry,
  request: AskedRequest,
  answer: JsonValue | undefined,
): string | undefined {
  if (!isOfTool(request)) return findMisfit(registry, request, answer);
  const { asked, loop } = request;
  const wrong = `the answer does not fit the question of ${loop}`;
  if (!isPlainObject(asked) || asked["schema"] === undefined || answer === undefined) return wrong;
  if (copyJson(answer, OUTPUT_BYTES_MAX).kind === "refused")
    return `${wrong}: it is JSON of at most ${OUTPUT_BYTES_MAX} bytes`;
  const [problem] = createValidator(asked["schema"])(answer);
  return problem === undefined ? undefined : `${wrong}: ${problem}`;
}

function ownerOf(
  { turn }: OpenTurn,
  { call, parentCall }: OpenRequest,
): Pick<EventDraft<"approval.decided">, "turn" | "call" | "parentCall"> {
  return { turn, call, ...(parentCall === null ? {} : { parentCall }) };
}
