/** Unknown actions, as requests to a person. */

import type { RunProjection, UnknownClaim } from "@turnseal/folds";
import type { Stores } from "@turnseal/ports";
import { type BlobRef, type ClaimEffect, isClaimOf, type JsonValue } from "@turnseal/protocol";
import { readContent } from "../state/read-content.ts";
import { listAnswers, type Resolution } from "./inbox-messages.ts";

/** An action that may have happened: a person says whether it did, with `resolve` and its key. */
export interface UnknownRequest {
  readonly kind: "unknown";
  /** The key of the action. */
  readonly id: string;
  readonly run: string;
  readonly turn: number;
  readonly key: string;
  /** The claim, by its sequence number and its hash. */
  readonly sequence: number;
  readonly hash: string;
  /** The tool. */
  readonly name: string;
  readonly effect: ClaimEffect;
  readonly role: string | null;
  readonly excluded: readonly string[];
  readonly deadlineAt: string;
  /** The answers that a person can give. */
  readonly answers: readonly Resolution[];
  /** The arguments; undefined once the content was erased. */
  readonly request: JsonValue | undefined;
  /** The words of the tool, where it threw. Untrusted. */
  readonly reason?: string;
}

/** Reads the content of actions of unknown end, also after the run has stopped. */
export async function readUnknownRequests(
  claims: readonly UnknownClaim[],
  projection: RunProjection,
  stores: Pick<Stores, "log" | "blobs">,
): Promise<UnknownRequest[]> {
  return Promise.all(claims.map((claim) => toRequest(claim, projection, stores)));
}

async function toRequest(
  claim: UnknownClaim & { readonly turn?: number },
  projection: RunProjection,
  stores: Pick<Stores, "log" | "blobs">,
): Promise<UnknownRequest> {
  const { key, claim: sequence, hash, name, effect, role, excluded, deadlineAt } = claim;
  const { run, openTurn, turns } = projection;
  const read = async (reference: BlobRef | undefined) =>
    reference === undefined ? undefined : readContent(stores, run, reference);
  const { request, reason } = await findContent(run, sequence, stores);
  const words = await read(reason);
  return {
    ...{ kind: "unknown", id: key, run, turn: claim.turn ?? openTurn?.turn ?? turns },
    ...{ key, sequence, hash, name, effect, role, excluded, deadlineAt },
    answers: listAnswers(projection, claim),
    request: await read(request),
    ...(typeof words === "string" ? { reason: words } : {}),
  };
}

interface ClaimContent {
  readonly request?: BlobRef;
  readonly reason?: BlobRef;
}

/** The request and the answer of the tool: both are in the page of the log from the claim on. */
async function findContent(
  run: string,
  claim: number,
  { log }: Pick<Stores, "log">,
): Promise<ClaimContent> {
  let found: ClaimContent = {};
  for (const event of await log.read(run, claim)) {
    if (event.sequence === claim && isClaimOf("tool", event))
      found = { ...found, request: event.content.request };
    if (event.type === "action.unknown" && event.content.claim === claim)
      return event.content.reason === undefined
        ? found
        : { ...found, reason: event.content.reason };
  }
  return found;
}
