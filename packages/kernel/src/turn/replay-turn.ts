/**
 * Runs a closed turn again from its record, and compares. Tools and models are not executed,
 * nothing is appended, nothing is signed: with the same code the same events come out, and the same
 * statement.
 */
import { canonicalize, type EventOf, type JsonValue, type LoopEvent } from "@turnseal/protocol";
import { buildStatement, type Envelope, toBase64 } from "@turnseal/protocol/receipts";
import { createKeptOutputs } from "../journal/kept-outputs.ts";
import type { Appender } from "../log/appender.ts";
import type { Content } from "../log/content.ts";
import { reasonOf } from "../receipt/seal-turn.ts";
import { drifted } from "../resume/recorded-turn.ts";
import { findTurnLoops, openThreads, runRecordedTurn } from "./run-turn.ts";
import type { TurnControl, TurnPorts, TurnRequest } from "./turn-request.ts";

export type ReplayedTurn =
  | { readonly kind: "identical" }
  | { readonly kind: "different"; readonly message: string }
  /**
   * A turn that was closed because its code had changed, or because it did not get on, has nothing
   * to compare.
   */
  | { readonly kind: "not-replayable"; readonly reason: string };

export interface ReplayPorts
  extends Pick<TurnPorts, "clock" | "registry" | "spending" | "effects" | "memory"> {
  readonly content: Content;
  readonly control: Omit<TurnControl, "takeCancel">;
}

/** Replays one turn: `events` from `turn.started` to `turn.closed`. */
export async function replayTurn(
  request: Omit<TurnRequest, "recorded">,
  { events, envelope }: { readonly events: readonly LoopEvent[]; readonly envelope: Envelope },
  ports: ReplayPorts,
): Promise<ReplayedTurn> {
  const [started] = events;
  const closed = events.at(-1);
  if (started?.type !== "turn.started" || closed?.type !== "turn.closed")
    return { kind: "not-replayable", reason: "the turn is open" };
  const { reason } = closed.content;
  if (reason !== undefined && unrun.has(reason)) return { kind: "not-replayable", reason };

  const statement = new TextEncoder().encode(canonicalize(buildStatement(events)));
  if (envelope.payload !== toBase64(statement)) {
    return { kind: "different", message: "the receipt says other than the events" };
  }
  // No call was recorded: there is nothing to replay.
  if (events.length === 2) return { kind: "identical" };
  const recorded = events.slice(0, -1);
  // A replay never acts, so roots of files may be missing.
  const { registry, effects, memory, control } = ports;
  const tools = { find: effects.tools.find };
  const found = findTurnLoops({ ...request, recorded }, { registry, tools });
  if (found.kind === "blocked") {
    const { cause, what } = found.block;
    // Another meaning would give other events, and prove nothing.
    if (cause === "unspoken") return { kind: "not-replayable", reason: what };
    return { kind: "different", message: `${what}: ${cause}` };
  }
  const appender = readOnlyAppender(request.run, closed, ports.content);
  const threads = openThreads(request, { ...ports, appender });
  const outcome = await runRecordedTurn(
    { ...request, recorded },
    { started, threads, outputs: createKeptOutputs(ports.content), ...found },
    // Without a recorded hit, the cache had no entry then.
    {
      ...ports,
      appender,
      memory: { ...memory, calls: {} },
      control: { ...control, takeCancel: async () => false },
    },
  );
  if (outcome.kind === "paused") return { kind: "different", message: "the turn would wait now" };
  if (outcome.kind === "drifted") return { kind: "different", message: outcome.message };
  if (canonicalize(threads.end().ends) !== canonicalize(closed.content.threads ?? []))
    return { kind: "different", message: "the turn leaves another thread now" };
  return compareClose(outcome, closed, ports.content);
}

/** Reasons of turns that were closed without being run to their end. */
const unrun: ReadonlySet<string> = new Set(["drifted", "stalled", "withdrawn"]);

type Ended = Exclude<Awaited<ReturnType<typeof runRecordedTurn>>, { kind: "paused" | "drifted" }>;

function compareClose(
  outcome: Ended,
  { content }: EventOf<"turn.closed">,
  sealer: Content,
): ReplayedTurn {
  const output = outcome.kind === "ok" ? sealer.seal(outcome.value as JsonValue).digest : undefined;
  if (output !== content.output?.digest)
    return { kind: "different", message: "the turn gives another output now" };
  const ranOut = "ranOut" in outcome && outcome.ranOut;
  if (reasonOf(outcome) !== content.reason || ranOut !== (content.ranOut === true))
    return { kind: "different", message: "the turn ends for another reason now" };
  return { kind: "identical" };
}

/** Everything is recorded: any new event is a difference. */
function readOnlyAppender(run: string, closed: LoopEvent, content: Content): Appender {
  return {
    run,
    epoch: closed.epoch,
    content,
    stored: content,
    push: (make) => {
      throw drifted(
        `the code now makes ${make(Date.parse(closed.at)).type}, which was not recorded`,
      );
    },
    consume: () => {},
    seal: () => {},
    flush: async () => {},
    isInboxEmpty: () => true,
    lastMs: () => Date.parse(closed.at),
    reach: () => {},
    mark: () => {},
    sinceMark: () => [],
  };
}
