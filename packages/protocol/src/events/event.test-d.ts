import { expectTypeOf, test } from "vitest";
import { unreachable } from "../error.ts";
import type { Envelope } from "./envelope.ts";
import { isVendorEvent, type LoopEvent, type NativeEvent } from "./event.ts";
import type { TurnClosed } from "./turn.ts";

function nameTurn(event: NativeEvent): string {
  switch (event.type) {
    case "turn.started":
    case "turn.denied":
    case "turn.resumed":
    case "turn.waiting":
      return "open";
    case "turn.closed":
      expectTypeOf(event.content).toEqualTypeOf<TurnClosed>();
      return event.content.outcome;
    case "run.started":
    case "run.decided":
    case "run.blocked":
    case "run.stopped":
    case "run.resolved":
    case "signal.received":
    case "call.started":
    case "call.input.validated":
    case "call.output.validated":
    case "call.completed":
    case "call.errored":
    case "child.started":
    case "child.completed":
    case "fanout.fixed":
    case "item.closed":
    case "step.retried":
    case "step.skipped":
    case "group.closed":
    case "action.claimed":
    case "action.settled":
    case "action.unknown":
    case "action.resolved":
    case "cache.hit":
    case "approval.requested":
    case "approval.decided":
    case "approval.expired":
    case "question.asked":
    case "question.answered":
    case "plan.proposed":
    case "plan.decided":
    case "plan.closed":
    case "note.added":
    case "note.expired":
    case "drift.reconciled":
    case "artifact.adopted":
    case "log":
      return "";
    default:
      return unreachable(event);
  }
}

interface PlanProposed extends Envelope {
  readonly type: "plan.proposed";
  readonly content: { readonly plan: string };
}

test("a fold that answers every type compiles, and one that misses a type does not", () => {
  expectTypeOf(nameTurn).parameter(0).toEqualTypeOf<NativeEvent>();
  (event: NativeEvent | PlanProposed): string => {
    // @ts-expect-error A type that is added is not answered by a fold that does not know it.
    return nameTurn(event);
  };
  (event: "turn.started" | "turn.closed"): string => {
    switch (event) {
      case "turn.started":
        return "open";
      default:
        // @ts-expect-error One type was left out.
        return unreachable(event);
    }
  };
});

test("fields that an event does not have do not compile", () => {
  (event: LoopEvent): unknown => {
    if (event.type !== "action.claimed" || event.content.action !== "handoff") return undefined;
    // @ts-expect-error A handoff names its target, and no tool.
    return event.content.tool;
  };
  (event: LoopEvent): unknown =>
    // @ts-expect-error What a vendor's event says is known to the vendor alone.
    isVendorEvent(event) ? event.content.outcome.length : undefined;
});
