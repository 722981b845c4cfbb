/**
 * What waits for somebody's word, and the checks that tell a person at once what is wrong with it.
 */
import type { Registry } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import {
  APPROVAL_CHOICES,
  type BlobRef,
  type Identity,
  isBlobRef,
  type JsonValue,
  refuseDecision,
} from "@turnseal/protocol";
import { HostError } from "../host-error.ts";
import type { OpenRequest, RunProjection } from "../projection/run-projection.ts";
import { findMisfit } from "../take-decision.ts";
import type { AnswerToSend, DecisionToSend } from "./inbox-messages.ts";

/** An approval or a question, with its content. */
export interface WaitingRequest extends Omit<OpenRequest, "request"> {
  readonly run: string;
  readonly turn: number;
  /** The arguments, or what is asked; undefined once the content was erased. */
  readonly request: JsonValue | undefined;
  /** What the tool itself wants a person to be asked, where it says so. */
  readonly description?: string;
}

export async function listRequests(
  projection: RunProjection | undefined,
  { blobs }: Pick<Stores, "blobs">,
): Promise<WaitingRequest[]> {
  const open = projection?.openTurn;
  if (projection === undefined || open === null || open === undefined) return [];
  const { run } = projection;
  return Promise.all(
    open.asked.map(async ({ request, facts: { description, ...facts }, ...asked }) => {
      const read = (reference: BlobRef | null) => readBlob(blobs, run, reference);
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

async function readBlob(
  blobs: Stores["blobs"],
  run: string,
  reference: BlobRef | null,
): Promise<JsonValue | undefined> {
  const bytes = reference === null ? undefined : await blobs.read(run, reference.digest);
  if (bytes === undefined) return undefined;
  return JSON.parse(new TextDecoder().decode(bytes)) as JsonValue;
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
  "kind" | "name" | "loop" | "version" | "role" | "approvers"
>;

/** The log decides again, by the time at which the word was received. */
export function checkDecision(
  registry: Registry,
  request: RequestTerms,
  { by, choice, arguments: edited }: DecisionToSend,
): void {
  checkPerson(request, by);
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
  checkPerson(request, by);
  const misfit = findMisfit(registry, request, answer);
  if (misfit !== undefined) throw new HostError("ANSWER_REFUSED", misfit);
}

/** Throws when somebody may not decide what is asked. */
export function checkPerson(
  { role, approvers, name, kind }: Pick<RequestTerms, "kind" | "name" | "role" | "approvers">,
  by: Identity,
): void {
  if (by.id === "") throw new HostError("IDENTITY_MISSING", "nobody decides without an identity");
  const now = "0000-01-01T00:00:00.000Z";
  const terms = { approvers, decideBy: now, ...(role === null ? {} : { role }) };
  const why = refuseDecision(terms, { choice: "approve", by, receivedAt: now });
  if (why !== undefined)
    throw new HostError(
      "ROLE_MISSING",
      `the ${kind} ${name} needs the role ${role}, which ${by.id} has not`,
    );
}
