/** How far a run came: what it answered, what it waits for, or why it stopped. */
import type { LeaseHolder } from "@turnseal/ports";
import type { StopReason } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import type { Advanced, Blocked } from "../decide/advanced.ts";
import type { WaitingRequest } from "../messages/requests.ts";
import { type AwaitedProvider, findAwaitedProvider } from "../views/run/describe-cause.ts";
import type { RunClient } from "./run-client.ts";

export type RunOutcome<Output> = {
  readonly run: string;
  /** The open approvals and questions. Empty unless it waits. */
  readonly requests: readonly WaitingRequest[];
} & (
  | { readonly status: "completed"; readonly output: Output }
  /**
   * For a person, for a signal, for somebody to say what became of an action, or for a provider.
   */
  | {
      readonly status: "waiting";
      readonly output?: Output;
      /** The provider that gave no answer: `retry` has it asked again. */
      readonly provider?: AwaitedProvider;
    }
  | { readonly status: "stopped"; readonly reason: StopReason; readonly output?: Output }
  /** Another process drives it, and had not ended when the wait was over. */
  | { readonly status: "carried"; readonly by: LeaseHolder; readonly output?: Output }
  /** It cannot go on here as things are, and is left as it was. */
  | { readonly status: "blocked"; readonly why: Blocked["why"]; readonly output?: Output }
);

/** Reads the outcome of a run that was driven. */
export async function readOutcome<Output>(
  client: Pick<RunClient, "requests" | "readOutput">,
  loop: Loop<never, Output>,
  { run, advanced }: { readonly run: string; readonly advanced: Advanced },
): Promise<RunOutcome<Output>> {
  const { dues, projection } = advanced;
  if (dues.kind === "blocked" && dues.holder !== undefined)
    return { run, requests: [], status: "carried", by: dues.holder };
  if (dues.kind === "blocked") return { run, requests: [], status: "blocked", why: dues.why };
  const output = await client.readOutput(loop, run);
  const given = output === undefined ? {} : { output };
  const stopped = projection?.stopped ?? null;
  if (stopped === null) {
    const found = projection === undefined ? undefined : findAwaitedProvider(projection);
    const provider = found === undefined ? {} : { provider: found };
    return { run, requests: await client.requests(run), status: "waiting", ...given, ...provider };
  }
  return stopped === "goal-reached" && output !== undefined
    ? { run, requests: [], status: "completed", output }
    : { run, requests: [], status: "stopped", reason: stopped, ...given };
}
