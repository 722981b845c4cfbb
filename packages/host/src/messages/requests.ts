/**
 * What waits for somebody's word, and the checks that tell a person at once what is wrong with it.
 */
import type { Registry } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import {
  APPROVAL_CHOICES,
  type ApprovalChoice,
  type BlobRef,
  type Identity,
  isBlobRef,
  type JsonValue,
  refuseDecision,
  SIGNAL_NAME_LENGTH_MAX,
  VALUE_BYTES_MAX,
  VALUE_DEPTH_MAX,
} from "@turnseal/protocol";
import { HostError } from "../host-error.ts";
import { findMisfit } from "../inbox/draft-decision.ts";
import { isSignal, isValue } from "../inbox/inbox-row.ts";
import type { OpenRequest, RunProjection, UnknownClaim } from "../projection/run-projection.ts";
import { readContent } from "../read-content.ts";
import {
  type AnswerToSend,
  type DecisionToSend,
  listAnswers,
  type SignalToSend,
  type UnknownAnswer,
} from "./inbox-messages.ts";
import { listUnknownRequests, type UnknownRequest } from "./unknown-requests.ts";

/** An approval or a question, with its content. */
export interface WaitingRequest extends Omit<OpenRequest, "request"> {
  readonly run: string;
  readonly turn: number;
  /** The arguments, or what is asked; undefined once the content was erased or exchanged. */
  readonly request: JsonValue | undefined;
  /** What the tool itself wants a person to be asked, where it says so. */
  readonly description?: string;
}

export async function listRequests(
  projection: RunProjection | undefined,
  stores: Pick<Stores, "blobs">,
): Promise<WaitingRequest[]> {
  const open = projection?.openTurn;
  if (projection === undefined || open === null || open === undefined) return [];
  const { run } = projection;
  return Promise.all(
    open.asked.map(async ({ request, facts: { description, ...facts }, ...asked }) => {
      // Whoever decides must not be shown another action than the one that they decide about.
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
      };
    }),
  );
}

/** What waits for a person: `kind` says with which word they answer. */
export type PersonRequest = WaitingRequest | UnknownRequest;

export async function listPersonRequests(
  projection: RunProjection | undefined,
  stores: Pick<Stores, "log" | "blobs">,
): Promise<PersonRequest[]> {
  const asked = await listRequests(projection, stores);
  return [...asked, ...(await listUnknownRequests(projection, stores))];
}

export function findRequest(
  projection: RunProjection | undefined,
  kind: OpenRequest["kind"],
  id: string,
): OpenRequest {
  const request = projection?.openTurn?.asked.find((open) => open.kind === kind && open.id === id);
  if (request === undefined) throw new HostError("REQUEST_UNKNOWN", `no ${kind} ${id} waits here`);
  return request;
}

/** What of a request says who may decide it, and what fits it. */
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

export function checkAnswer(
  registry: Registry,
  request: RequestTerms,
  { by, answer }: AnswerToSend,
): void {
  checkPerson(request, by, "approve");
  const misfit = findMisfit(registry, request, answer);
  if (misfit !== undefined) throw new HostError("ANSWER_REFUSED", misfit);
}

/**
 * An answer to what became of an action is an approval of its own: it needs whoever the rule would
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

/** Throws when a run would not take a signal in. */
export function checkSignal(signal: SignalToSend): void {
  if (isSignal(signal)) return;
  throw new HostError(
    "SIGNAL_REFUSED",
    `a signal has a name of at most ${SIGNAL_NAME_LENGTH_MAX} characters, and a payload of at ` +
      `most ${VALUE_BYTES_MAX} bytes of JSON that nests at most ${VALUE_DEPTH_MAX} deep`,
  );
}

/** Throws when somebody may not say that to what is asked. */
export function checkPerson(
  request: Pick<RequestTerms, "kind" | "name" | "role" | "approvers" | "excluded">,
  by: Identity,
  choice: ApprovalChoice,
): void {
  const { role, approvers, excluded, name, kind } = request;
  if (by.id === "") throw new HostError("IDENTITY_MISSING", "a decision needs an identity");
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
