/** Answers for people that a group asks: approve, keep, and unknown for ever. */
import { HostError, type LocalHost, readEvents } from "@turnseal/host";
import type { Stores } from "@turnseal/ports";

const by = { id: "bea", roles: [] };

/** Answers an open request; false if there is none. */
export async function answerPeople(host: LocalHost, stores: Stores, run: string): Promise<boolean> {
  try {
    return await answerFirst(host, stores, run);
  } catch (error) {
    // Another process took in the earlier answer during this look.
    if (error instanceof HostError && error.code === "REQUEST_UNKNOWN") return true;
    throw error;
  }
}

async function answerFirst(host: LocalHost, stores: Stores, run: string): Promise<boolean> {
  const [request] = await host.requests(run);
  if (request?.kind === "approval") {
    await host.decide(run, request.id, { choice: "approve", by });
    return true;
  }
  if (request !== undefined) {
    await host.answer(run, request.id, { answer: { rest: "stays" }, by });
    return true;
  }
  const key = await findUnknown(stores, run);
  if (key === undefined) return false;
  await host.resolve(run, { key, resolution: "abandon", by });
  return true;
}

/** The key of an unknown action without a resolution. */
async function findUnknown(stores: Stores, run: string): Promise<string | undefined> {
  const unknown = new Map<number, string>();
  for await (const { type, content } of readEvents(stores.log, run, 1)) {
    if (type === "action.unknown") unknown.set(content.claim, content.key);
    if (type === "action.resolved") unknown.delete(content.claim);
  }
  return [...unknown.values()][0];
}
