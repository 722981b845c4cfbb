import type { WaitingRequest } from "@turnseal/host";
import type { StoreFolder } from "../store-folder.ts";
import { findWaiting, type WaitingRun } from "./find-waiting.ts";

export interface FoundRequest extends WaitingRun {
  readonly request: WaitingRequest;
}

export type RequestSearch =
  | { readonly kind: "found"; readonly found: FoundRequest }
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

const NEXT_INBOX = "turnseal inbox  (lists what waits)";
/** How many a message names. */
const NAMED_MAX = 5;

/** The one approval or question that a name means. */
export async function findRequestByName(
  folder: StoreFolder,
  kind: WaitingRequest["kind"],
  name: string,
): Promise<RequestSearch> {
  const matching = (await findWaiting(folder, name)).flatMap((each) =>
    each.waiting.requests
      .filter((request) => request.kind === kind)
      .map((request) => ({ ...each, request })),
  );
  const [found, ...others] = matching;
  if (found === undefined)
    return { kind: "unusable", message: `no open ${kind} matches ${name}`, next: NEXT_INBOX };
  if (others.length === 0) return { kind: "found", found };
  const named = matching.slice(0, NAMED_MAX).map(({ request }) => request.id);
  const message = `${matching.length} ${kind}s match ${name}: ${named.join(", ")}`;
  return { kind: "unusable", message, next: `name one by its id: ${NEXT_INBOX}` };
}
