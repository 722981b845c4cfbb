/** Requests that wait for a person, and checks that report a wrong answer at once. */

import {
  listUnknown,
  type OpenRequest,
  type RunProjection,
  type UnknownClaim,
} from "@turnseal/folds";
import type { Registry } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import {
  APPROVAL_CHOICES,
  type ApprovalChoice,
  type BlobRef,
  type Identity,
  isBlobRef,
  isPlainObject,
  isPlainText,
  type JsonValue,
  refuseDecision,
  SIGNAL_NAME_LENGTH_MAX,
  type StandingTerms,
  VALUE_BYTES_MAX,
  VALUE_DEPTH_MAX,
} from "@turnseal/protocol";
import { HostError } from "../host-error.ts";
import { findAnswerMisfit, findMisfit } from "../inbox/draft-decision.ts";
import { isSignal, isValue } from "../inbox/inbox-row.ts";
import { readContent } from "../state/read-content.ts";
import {
  type AnswerToSend,
  type DecisionToSend,
  listAnswers,
  type SignalToSend,
  type UnknownAnswer,
} from "./inbox-messages.ts";
import { readUnknownRequests, type UnknownRequest } from "./unknown-requests.ts";

/** An approval or a question, with its content. */
export interface WaitingRequest extends Omit<OpenRequest, "request" | "standing"> {
  readonly run: string;
  readonly turn: number;
  /** The arguments, or the question; undefined once the content was erased or exchanged. */
  readonly request: JsonValue | undefined;
  /** The tool's own question for a person, if it has one. */
  readonly description?: string;
  /** The reason that the rule gives which asks, if it gives one. */
  readonly because?: string;
  /** How far a person may let the approval stand. Absent where none may stand. */
  readonly mayStand?: StandingTerms;
}

/** Which requests are read. */
export interface RequestsToRead {
  readonly most?: number;
  /** Asked before any content is read. */
  readonly isWanted?: (request: DecidableTerms) => boolean;
}

/** The parts of a request that say who may decide it. */
export type DecidableTerms = Pick<OpenRequest, "kind" | "name" | "role" | "approvers" | "excluded">;

export async function listRequests(
  projection: RunProjection | undefined,
  stores: Pick<Stores, "blobs">,
  { most, isWanted = () => true }: RequestsToRead = {},
): Promise<WaitingRequest[]> {
  const open = projection?.openTurn;
  if (projection === undefined || open === null || open === undefined) return [];
  const { run, policy } = projection;
  const wanted = open.asked.filter(isWanted).slice(0, most);
  // No content is read for a person who may decide nothing.
  if (wanted.length === 0) return [];
  const reasons = policy === null ? {} : readReasons(await readContent(stores, run, policy));
  return Promise.all(
    wanted.map(async ({ request, facts: { description, ...facts }, standing, ...asked }) => {
      // A person who decides must see the very action that the decision is about.
      const read = async (reference: BlobRef | null) =>
        reference === null ? undefined : readContent(stores, run, reference);
      const words = await read(isBlobRef(description) ? (description as unknown as BlobRef) : null);
      return {
        ...asked,
        facts,
        run,
        turn: open.turn,
        request: await read(request),
        ...(typeof words === "string" ? { description: words } : {}),
        ...findReason(reasons, facts.rule),
        ...(standing === undefined ? {} : { mayStand: standing.mayStand }),
      };
    }),
  );
}

/** The reasons of the rules that have one, by id. */
function readReasons(policy: unknown): Readonly<Record<string, unknown>> {
  const rules = isPlainObject(policy) ? policy["rules"] : undefined;
  const listed = Array.isArray(rules) ? rules.filter(isPlainObject) : [];
  return Object.fromEntries(listed.map(({ id, reason }) => [String(id), reason]));
}

function findReason(
  reasons: ReturnType<typeof readReasons>,
  rule: JsonValue | undefined,
): { readonly because?: string } {
  const id = isPlainObject(rule) ? String(rule["id"]) : "";
  const reason = Object.hasOwn(reasons, id) ? reasons[id] : undefined;
  return typeof reason === "string" ? { because: reason } : {};
}

/** A request to a person: `kind` names the command that answers it. */
export type PersonRequest = WaitingRequest | UnknownRequest;

/** The open requests of a run with their content. */
export async function listPersonRequests(
  projection: RunProjection | undefined,
  stores: Pick<Stores, "log" | "blobs">,
  { most = Number.POSITIVE_INFINITY, isWanted = () => true }: RequestsToRead = {},
): Promise<PersonRequest[]> {
  const asked = await listRequests(projection, stores, { most, isWanted });
  if (projection === undefined) return asked;
  const claims = listUnknown(projection)
    .filter((claim) => isWanted({ ...claim, kind: "approval", approvers: 1 }))
    .slice(0, most - asked.length);
  return [...asked, ...(await readUnknownRequests(claims, projection, stores))];
}

export function findRequest(
  projection: RunProjection | undefined,
  kind: OpenRequest["kind"],
  id: string,
): OpenRequest {
  const request = projection?.openTurn?.asked.find((open) => open.kind === kind && open.id === id);
  if (request !== undefined) return request;
  const isUnknown = projection && listUnknown(projection).some(({ key }) => key === id);
  const mend = isUnknown ? ": it is an action of unknown end, which `resolve` answers" : "";
  throw new HostError("REQUEST_UNKNOWN", `no ${kind} ${id} waits here${mend}`);
}

/** The parts of a request that say who may decide it, and which answers fit. */
export type RequestTerms = Pick<
  OpenRequest,
  "kind" | "name" | "loop" | "version" | "role" | "approvers" | "excluded" | "facts"
>;

/** The log decides again, by the time at which the word was received. */
export function checkDecision(
  registry: Registry,
  request: RequestTerms,
  { by, choice, arguments: edited }: DecisionToSend,
): void {
  checkPerson(request, by, choice);
  if (!(APPROVAL_CHOICES as readonly unknown[]).includes(choice))
    throw new HostError("ANSWER_REFUSED", `a decision is one of ${APPROVAL_CHOICES.join(", ")}`);
  const misfit = choice === "edit" ? findMisfit(registry, request, edited) : undefined;
  if (misfit !== undefined) throw new HostError("ANSWER_REFUSED", misfit);
}

/** `asked` is the content of the question. */
export function checkAnswer(
  registry: Registry,
  request: RequestTerms & { readonly asked?: JsonValue | undefined },
  { by, answer }: AnswerToSend,
): void {
  checkPerson(request, by, "approve");
  const misfit = findAnswerMisfit(registry, request, answer);
  if (misfit !== undefined) throw new HostError("ANSWER_REFUSED", misfit);
}

/**
 * An answer on an unknown action is an approval of its own: it needs a person whom the rule would
 * have asked.
 */
export function checkResolution(
  run: Pick<RunProjection, "stopped">,
  claim: Pick<UnknownClaim, "name" | "role" | "excluded" | "isWithdrawn">,
  { by, resolution, result }: UnknownAnswer,
): void {
  const { name, role, excluded } = claim;
  checkPerson({ kind: "approval", name, role, excluded, approvers: 1 }, by, "approve");
  const answers = listAnswers(run, claim);
  if (!answers.includes(resolution)) {
    const isForOthers = listAnswers(run).includes(resolution);
    const why = isForOthers ? `nothing waits for ${name}, whose item was withdrawn: ` : "";
    throw new HostError(
      isForOthers ? "CLAIM_WITHDRAWN" : "ANSWER_REFUSED",
      `${why}an answer is one of ${answers.join(", ")}`,
    );
  }
  if (result !== undefined && !isValue(result))
    throw new HostError(
      "ANSWER_REFUSED",
      `a result is at most ${VALUE_BYTES_MAX} bytes of JSON that nests at most ${VALUE_DEPTH_MAX} deep`,
    );
}

/** A longer key of a signal is refused: the inbox keeps it. */
const KEY_LENGTH_MAX = 1_000;

/** Throws when a run would not take a signal in. */
export function checkSignal(signal: SignalToSend): void {
  // Without a key all signals would be the first one again.
  if (!isPlainText(signal.key, KEY_LENGTH_MAX))
    throw new HostError(
      "SIGNAL_REFUSED",
      `a signal has a key of 1 to ${KEY_LENGTH_MAX} characters: give each message one of its own`,
    );
  if (isSignal(signal)) return;
  throw new HostError(
    "SIGNAL_REFUSED",
    `a signal has a name of at most ${SIGNAL_NAME_LENGTH_MAX} characters, and a payload of at ` +
      `most ${VALUE_BYTES_MAX} bytes of JSON that nests at most ${VALUE_DEPTH_MAX} deep`,
  );
}

function isNamed(by: unknown): by is Identity {
  if (!isPlainObject(by) || !Array.isArray(by["roles"])) return false;
  return typeof by["id"] === "string" && by["id"] !== "";
}

/** Throws if this person may not give that answer. */
export function checkPerson(request: DecidableTerms, by: Identity, choice: ApprovalChoice): void {
  const { role, approvers, excluded, name, kind } = request;
  if (!isNamed(by))
    throw new HostError(
      "IDENTITY_MISSING",
      "a decision needs an identity: give `by: { id, roles }`",
    );
  const now = "0001-01-01T00:00:00.000Z";
  const terms = { approvers, excluded, decideBy: now, ...(role === null ? {} : { role }) };
  const why = refuseDecision(terms, { choice, by, receivedAt: now });
  if (why === "person-excluded")
    throw new HostError(
      "PERSON_EXCLUDED",
      `${by.id} started or edited what ${name} would do, and the rule requires another person to ${kind === "question" ? "answer" : "approve"}`,
    );
  if (why === "role-missing")
    throw new HostError(
      "ROLE_MISSING",
      `the ${kind} ${name} needs the role ${role}, which ${by.id} does not have`,
    );
}
