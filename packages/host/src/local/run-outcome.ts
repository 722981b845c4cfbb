/** How far a run came: what it answered, what it waits for, or why it stopped. */
import type { LeaseHolder } from "@turnseal/ports";
import type { StopReason } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { type AwaitedProvider, findAwaitedProvider, findGivenUp } from "@turnseal/views";
import type { Advanced, Blocked } from "../decide/advanced.ts";
import type { PersonRequest } from "../messages/requests.ts";
import type { FlowPart } from "../read/run/read-parts.ts";
import { listAwaited } from "../read/run/waiting.ts";
import type { RunClient } from "./run-client.ts";

export type RunOutcome<Output> = {
  readonly run: string;
  /**
   * Open requests to people: approvals and questions while a run waits, and unknown actions, also
   * of a stopped run.
   */
  readonly requests: readonly PersonRequest[];
} & (
  | { readonly status: "completed"; readonly output: Output }
  /** For a person, who has `requests`; for a signal; or for a provider. */
  | {
      readonly status: "waiting";
      /** The signals that can move it: one is enough. */
      readonly signals: readonly string[];
      readonly output?: Output;
      /** Why the last message got no answer: the code of its turn. The run takes the next one. */
      readonly failure?: string;
      /** The provider that gave no answer: `retry` has it asked again. */
      readonly provider?: AwaitedProvider;
    }
  | {
      readonly status: "stopped";
      readonly reason: StopReason;
      readonly output?: Output;
      /** The results of its flow parts, so that a turn that a budget ended keeps them. */
      readonly parts?: readonly FlowPart[];
    }
  /** Another process drives it, and had not ended when the wait was over. */
  | { readonly status: "carried"; readonly by: LeaseHolder; readonly output?: Output }
  /** It cannot go on here as things are, and is left as it was. */
  | { readonly status: "blocked"; readonly why: Blocked["why"]; readonly output?: Output }
);

/** Reads the outcome of a run that was driven. */
export async function readOutcome<Output>(
  client: Pick<RunClient, "requests" | "readOutput" | "readParts">,
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
  const requests = await client.requests(run);
  if (stopped === null) {
    const found = projection === undefined ? undefined : findAwaitedProvider(projection);
    const provider = found === undefined ? {} : { provider: found };
    const signals = projection === undefined ? [] : listAwaited(projection);
    const code = projection === undefined ? undefined : findGivenUp(projection);
    const failure = code === undefined ? {} : { failure: code };
    return { run, requests, status: "waiting", signals, ...given, ...failure, ...provider };
  }
  if (stopped === "goal-reached" && output !== undefined)
    return { run, requests, status: "completed", output };
  const parts = await client.readParts(run);
  const told = parts.length === 0 ? {} : { parts };
  return { run, requests, status: "stopped", reason: stopped, ...given, ...told };
}
