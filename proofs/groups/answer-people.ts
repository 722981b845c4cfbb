/** Answers for people that a group asks: approve, keep, and unknown for ever. */
import { HostError, type LocalHost } from "@turnseal/host";

const by = { id: "bea", roles: [] };

/** Answers an open request; false if there is none. */
export async function answerPeople(host: LocalHost, run: string): Promise<boolean> {
  const [request] = await host.requests(run);
  if (request === undefined) return false;
  const { kind, id } = request;
  try {
    if (kind === "approval") await host.decide(run, id, { choice: "approve", by });
    else if (kind === "unknown") await host.resolve(run, { key: id, resolution: "abandon", by });
    else await host.answer(run, id, { answer: { rest: "stays" }, by });
  } catch (error) {
    // Another process took in the earlier answer during this look.
    if (!(error instanceof HostError && error.code === "REQUEST_UNKNOWN")) throw error;
  }
  return true;
}
