/**
 * Shows a run while it is carried: the calls of a turn as `turnseal call` shows them, and what the
 * run says after each turn.
 *
 * What tools and models say is content and stays out of it; only names, times and counts are shown.
 */

import { followReports } from "@turnseal/host";
import type { LoopEvent, RunSpec } from "@turnseal/protocol";
import type { CallEvent } from "@turnseal/protocol/trace";
import { type CallWatch, watchCall } from "../loops/watch-call.ts";
import { line, toned } from "../terminal/line.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import { followTicks } from "./follow-ticks.ts";
import { renderTurnReport, toTurnLine } from "./render-turn-report.ts";

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
  /** What the run is, where it was started before anybody watched. */
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
    err.writeLine(line(toned("warning", "note: "), note));
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
      if (turn !== undefined && json === true) out.writeText(`${renderJson(toTurnLine(turn))}\n`);
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
