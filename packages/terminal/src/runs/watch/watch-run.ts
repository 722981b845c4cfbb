/**
 * Shows a run while it is driven: the calls of a turn as `turnseal call` shows them, and a report
 * after each turn.
 *
 * The words of tools and models are content and stay out of it; only names, times and counts are
 * shown.
 */

import type { LoopEvent, RunSpec } from "@turnseal/protocol";
import type { CallEvent } from "@turnseal/protocol/trace";
import { followReports } from "@turnseal/views";
import { type CallWatch, watchCall } from "../../loops/watch-call.ts";
import { renderNote } from "../../screen/line.ts";
import { writeJson } from "../../screen/sanitize-text.ts";
import type { Terminal } from "../../screen/screen.ts";
import { renderTurnReport, toTurnLine } from "../state/render-turn-report.ts";
import { followTicks } from "./follow-ticks.ts";

export interface RunWatch {
  readonly onEvent: (event: LoopEvent) => void;
  /** Leaves what is drawn on the screen, once all of it is there. */
  finish(): void | Promise<void>;
}

const shownTypes: ReadonlySet<string> = new Set([
  "call.started",
  "call.completed",
  "call.errored",
  "child.started",
  "fanout.fixed",
  "item.closed",
  "step.retried",
  "step.skipped",
  "group.closed",
  "action.claimed",
  "action.settled",
]);

export interface WatchOptions {
  readonly json?: boolean;
  /** The specification of a run that was started before. */
  readonly spec?: RunSpec | null;
}

/** Watches a run on a terminal, or as one JSON object for each turn. */
export function watchRun({ out, err }: Terminal, { json, spec }: WatchOptions): RunWatch {
  const report = followReports(spec ?? undefined);
  const noteTick = followTicks(spec);
  let tree: CallWatch | undefined;
  const finish = (): void => {
    tree?.finish();
    tree = undefined;
  };
  const sayWait = (until: string): void => {
    finish();
    const note = `waiting until ${until}: a flow waits, or an earlier action may still be running`;
    err.writeLine(renderNote(note));
  };
  return {
    finish,
    onEvent: (event) => {
      if (json !== true && shownTypes.has(event.type)) {
        tree ??= watchCall(err);
        void tree.sink(toCallEvent(event));
      }
      const turn = report(event);
      const isTimed = event.type === "turn.waiting" && event.content.for === "time";
      const until = isTimed ? event.content.until : undefined;
      if (typeof until === "string" && json !== true && Date.parse(until) > Date.now())
        sayWait(until);
      if (event.type === "turn.closed") finish();
      const tick = noteTick(event);
      if (turn !== undefined && json === true) writeJson(out, toTurnLine(turn));
      else if (turn !== undefined) renderTurnReport(turn).forEach(out.writeLine);
      if (tick !== undefined && json !== true) err.writeLine(tick);
    },
  };
}

/** An event of the log holds what the event of a call does, and names its place besides. */
function toCallEvent({ type, at, call, parentCall, content }: LoopEvent): CallEvent {
  const owner = parentCall === undefined ? { call } : { call, parentCall };
  return { type, at, content, ...owner } as unknown as CallEvent;
}
