/**
 * Describes the result of a run, independent of the workers that carried it, of the time, and of
 * the number of steps.
 */
import { readContent } from "@turnseal/host";
import { canonicalize, type LoopEvent } from "@turnseal/protocol";
import type { Place } from "./places.ts";
import { comparable } from "./reply.ts";
import type { FlowWorld } from "./world.ts";

export interface RunEnd {
  readonly stopped: string;
  /** The outcome and the output of each turn. */
  readonly turns: readonly string[];
  /**
   * Every node that did something, by its path, with how it ended; undefined where some were
   * withdrawn, since how far those had come is chance.
   */
  readonly nodes: readonly string[] | undefined;
  /**
   * True where no turn follows the last one, since an item of it was withdrawn in the middle of an
   * effect (spec/run.md §2.2). How far an item had come is chance, so a following turn cannot be
   * predicted.
   */
  readonly isLeft: boolean;
  /** Nodes that were tried again, by turn and path, each with the number of the try. */
  readonly tried: readonly (readonly [path: string, attempt: number])[];
  /** Fan-outs that withdrew items, by turn and path, each with the code that failed first. */
  readonly firstErrors: ReadonlyMap<string, string>;
  /** The paths of calls that were withdrawn in the middle of an effect. */
  readonly withdrawn: readonly string[];
}

export async function describeRun({ stores }: FlowWorld, { run, watch }: Place): Promise<RunEnd> {
  const events = watch.events();
  const turns: string[] = [];
  for (const event of events) {
    if (event.type !== "turn.closed") continue;
    const { outcome, reason = "" } = event.content;
    const output = findOutput(event);
    const value = output === undefined ? null : await readContent(stores, run, output);
    turns.push(`${outcome} ${reason} ${canonicalize(comparable(value ?? null))}`);
  }
  const isRacing = events.some(
    (event) => event.type === "item.closed" && event.content.status === "withdrawn",
  );
  const { stopped, lastTurn } = watch.projection();
  const isLeft = stopped === "effect-unknown" && lastTurn?.outcome !== "unknown";
  const nodes = isRacing ? undefined : listNodes(events).sort();
  return {
    stopped: stopped ?? "none",
    turns,
    nodes,
    isLeft,
    ...listTries(events),
    firstErrors: listFirstErrors(events),
  };
}

function findOutput(event: LoopEvent): { readonly digest: `hmac-sha256:${string}` } | undefined {
  return (event.content as { output?: { digest: `hmac-sha256:${string}` } }).output;
}

/** Calls are compared by the way to them, since each execution gives them ids of its own. */
function findWays(events: readonly LoopEvent[]): (call: string | undefined) => string {
  const ways = new Map<string, string>();
  const wayOf = (call: string | undefined): string => ways.get(call ?? "") ?? "";
  for (const event of events) {
    if (event.type !== "child.started") continue;
    const { child, path = "", step } = event.content;
    ways.set(child, `${wayOf(event.call)}${path || `/steps/${step}`}`);
  }
  return wayOf;
}

function listTries(events: readonly LoopEvent[]): Pick<RunEnd, "tried" | "withdrawn"> {
  const wayOf = findWays(events);
  const tried: [string, number][] = [];
  const withdrawn: string[] = [];
  for (const event of events) {
    const way = `${event.turn} ${wayOf(event.call)}`;
    if (event.type === "step.retried")
      tried.push([`${way}${event.content.path}`, event.content.attempt]);
    if (event.type === "action.unknown" && event.content.status === "withdrawn")
      withdrawn.push(way);
  }
  return { tried, withdrawn };
}

function listFirstErrors(events: readonly LoopEvent[]): RunEnd["firstErrors"] {
  const wayOf = findWays(events);
  const codes = new Map<string, string>();
  const halted = new Set<string>();
  for (const event of events) {
    if (event.type !== "item.closed") continue;
    const { path, status, code = "" } = event.content;
    const way = `${event.turn} ${wayOf(event.call)}${path}`;
    if (status === "withdrawn") halted.add(way);
    if (status === "error" && !codes.has(way)) codes.set(way, code);
  }
  return new Map([...codes].filter(([way]) => halted.has(way)));
}

function listNodes(events: readonly LoopEvent[]): string[] {
  const wayOf = findWays(events);
  return events.flatMap((event): string[] => {
    const way = `${event.turn} ${wayOf(event.call)}`;
    switch (event.type) {
      case "child.completed":
        return [`${event.turn} ${wayOf(event.content.child)} ${event.content.status}`];
      case "fanout.fixed":
        return [`${way}${event.content.path} of ${event.content.items}`];
      case "item.closed": {
        const { path, index, status, code = "" } = event.content;
        return [`${way}${path}/${index} ${status} ${code}`];
      }
      case "step.retried":
        return [`${way}${event.content.path} try ${event.content.attempt} ${event.content.code}`];
      case "step.skipped":
        return [`${way}${event.content.path} skipped ${event.content.because}`];
      default:
        return [];
    }
  });
}
