/**
 * Counts what a turn comes to, and holds it against what was computed before it ran. It counts what
 * is in the log and asks nobody: a claim that another worker makes again after a loss counts once.
 */
import { TRACE_EVENTS_MAX } from "@turnseal/kernel";
import type { EventOf, LoopEvent } from "@turnseal/protocol";
import type { TurnBounds } from "@turnseal/runtime/project";
import type { Promises } from "../simulate/fault.ts";
import type { Tally } from "../simulate/tally.ts";

export interface BoundWatch {
  onEvent(event: LoopEvent): void;
}

interface Counted {
  calls: number;
  modelCalls: number;
  toolCalls: number;
  outputTokens: number;
  waits: number;
}

const nothing: Counted = { calls: 0, modelCalls: 0, toolCalls: 0, outputTokens: 0, waits: 0 };

/** What stands in the trace of a root call; the rest is of the run. */
const traced = /^(call|child|fanout|item|step)\./;

export function watchBounds(
  bounds: TurnBounds,
  { promises, tally }: { readonly promises: Promises; readonly tally: Tally },
): BoundWatch {
  let counted = { ...nothing };
  let events = 0;
  const paths = new Set<string>();
  const settled = new Set<string>();
  const epochs = new Map<string, number>();
  const add = (what: keyof Counted, amount = 1): void => {
    counted[what] += amount;
    const isWithin = counted[what] <= bounds[what];
    promises.hold(
      isWithin,
      `${counted[what]} ${what} in a turn, and ${bounds[what]} were computed`,
    );
  };
  const onClaim = ({ content, epoch }: EventOf<"action.claimed">): void => {
    const { key, action } = content;
    promises.hold(!settled.has(key), `what is settled is claimed again: ${key.slice(0, 8)}`);
    const isAgain = (epochs.get(key) ?? epoch) < epoch;
    epochs.set(key, epoch);
    if (!isAgain && action !== "handoff") add(action === "model" ? "modelCalls" : "toolCalls");
  };
  const onNode = (place: string): void => {
    promises.hold(!paths.has(place), `${place} occurs twice in a call`);
    paths.add(place);
  };
  return {
    onEvent: (event) => {
      if (traced.test(event.type)) {
        events += 1;
        promises.hold(events <= TRACE_EVENTS_MAX * 2, "a turn leaves more events than fit into it");
      }
      const what = describeFlowEvent(event);
      if (what !== undefined) tally.count(what);
      const place = placeOf(event);
      if (place !== undefined) onNode(`${event.call} ${place}`);
      switch (event.type) {
        case "turn.started":
          [counted, events] = [{ ...nothing }, 0];
          paths.clear();
          return;
        case "call.started":
          return add("calls");
        case "question.asked":
          if (event.content.to === "signal") add("waits");
          return;
        case "action.claimed":
          return onClaim(event);
        case "action.settled":
          settled.add(event.content.key);
          if (event.content.action === "model")
            add("outputTokens", event.content.spent.outputTokens ?? 0);
          return;
        default:
      }
    },
  };
}

/** What must occur in some seed, by the event that shows it. */
function describeFlowEvent({ type, content }: LoopEvent): string | undefined {
  switch (type) {
    case "fanout.fixed":
      return content.items <= 1 ? `flow fan-out-of-${content.items}` : "flow fan-out";
    case "item.closed":
      return `flow item-${content.status}`;
    case "step.retried":
      return "flow retried";
    case "step.skipped":
      return `flow skipped-${content.because}`;
    case "question.asked":
      return `flow asked-${content.to}`;
    case "call.errored":
      return `code ${content.code}`;
    case "turn.waiting":
      return `flow waits-for-${content.for}`;
    default:
      return undefined;
  }
}

/** Where in its call something stands that occurs once. */
function placeOf({ type, content }: LoopEvent): string | undefined {
  switch (type) {
    case "child.started":
      return content.path === undefined ? undefined : `child ${content.path}`;
    case "fanout.fixed":
      return `fan-out ${content.path}`;
    case "item.closed":
      return `item ${content.index} ${content.path}`;
    case "step.retried":
      return `try ${content.attempt} ${content.path}`;
    case "step.skipped":
      return `skip ${content.path}`;
    default:
      return undefined;
  }
}
