/** Flows for tests, and the part of a log that shows their way. */
import { type Clock, manualClock } from "@turnseal/ports";
import type {
  CompositeSpec,
  FlowNode,
  JsonObject,
  JsonValue,
  LoopDef,
  LoopEvent,
  Mapping,
} from "@turnseal/protocol";
import type { CallEvent } from "@turnseal/protocol/trace";
import type { ToolBindings } from "../../actions/bind-tools.ts";
import { openWorld, type SampleCall, toolLoop } from "../../call/sample-world.test.data.ts";
import { WAIT_IN_PLACE_MS_MAX } from "../../limits.ts";
import {
  crashAt,
  openRun,
  type SampleRun,
  type SampleRunOptions,
  settle,
} from "../../turn/sample-run.test.data.ts";
import type { TurnResult } from "../../turn/turn-request.ts";

/** A composite whose body is a flow. */
export function flowLoop(
  flow: FlowNode,
  { outputMapping, ...fields }: Partial<LoopDef> & { outputMapping?: Mapping } = {},
): LoopDef {
  const composite: CompositeSpec = outputMapping === undefined ? { flow } : { flow, outputMapping };
  return {
    ...{ id: "flow", name: "flow", version: "1.0.0", inputSchema: true, outputSchema: true },
    kind: "composite",
    composite,
    ...fields,
  };
}

/** A node that says something; what it gives is `{ text }`. */
export function say(text: string, fields: Partial<FlowNode> = {}): FlowNode {
  return sayMapped({ text: { const: text } }, fields);
}

/** The same, with a computed text. */
export function sayMapped(inputMapping: Mapping, fields: Partial<FlowNode> = {}): FlowNode {
  return { kind: "call", loopId: "say", inputMapping, ...fields } as FlowNode;
}

/** A node whose first calls fail, as many as it says; they are counted by what it is called. */
export function flaky(fails: number, fields: Partial<FlowNode> = {}): FlowNode {
  const inputMapping = { fails: { const: fails }, of: { const: fields.name ?? "" } };
  return { kind: "call", loopId: "flaky", inputMapping, ...fields } as FlowNode;
}

export function sequence(...nodes: readonly FlowNode[]): FlowNode {
  return { kind: "sequence", nodes };
}

/** The loops that sample flows call. */
export const sampleLoops: readonly LoopDef[] = [
  toolLoop("say"),
  toolLoop("flaky"),
  toolLoop("slow"),
];

export interface SampleTools {
  readonly tools: ToolBindings;
  /** The arguments, in order. */
  readonly said: JsonValue[];
  /** The keys of what was done, in order. */
  readonly keys: string[];
}

/** Tools that answer a key as they answered it before. */
export function sampleTools(): SampleTools {
  const [said, keys]: [JsonValue[], string[]] = [[], []];
  const failures = new Map<JsonValue | undefined, Set<string>>();
  const tools: ToolBindings = {
    "local.say": {
      effect: "read",
      run: (input, { key }) => {
        keys.push(key);
        said.push((input as JsonObject)["text"] ?? null);
        return input;
      },
    },
    "local.flaky": {
      effect: "read",
      run: (input, { key }) => {
        keys.push(key);
        const { fails, of } = input as JsonObject;
        const failed = failures.get(of) ?? new Set();
        failures.set(of, failed);
        if (failed.has(key) || failed.size < Number(fails)) {
          failed.add(key);
          throw new Error("the weather is bad");
        }
        return { calls: failed.size + 1 };
      },
    },
    "local.slow": { effect: "read", run: () => new Promise(() => {}) },
  };
  return { tools, said, keys };
}

export interface CalledFlow {
  /** What it gave; undefined where it failed. */
  readonly output: unknown;
  /** The code and the message of its failure. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
  readonly way: readonly string[];
  readonly call: SampleCall;
}

/** Calls a flow outside a run, where time stands still unless a clock is passed. */
export async function callFlow(
  flow: FlowNode | LoopDef,
  { input = {}, loops = [], clock = manualClock() }: CallFlowOptions = {},
): Promise<CalledFlow> {
  const loop = "version" in flow ? flow : flowLoop(flow);
  const functions = Object.entries(sampleTools().tools).map(([name, tool]) => [
    name.slice("local.".length),
    typeof tool === "function" ? tool : tool.run,
  ]);
  const world = openWorld({
    loops: [loop, ...loops, ...sampleLoops],
    tools: Object.fromEntries(functions),
    clock,
  });
  const call = await world.call("flow", input);
  const { result, events } = call;
  const error = result.status === "error" ? result.error : undefined;
  return {
    output: result.status === "ok" ? result.output : undefined,
    error: error === undefined ? undefined : { code: error.code, message: error.message },
    way: wayOf(events),
    call,
  };
}

interface CallFlowOptions {
  readonly input?: JsonValue;
  readonly loops?: readonly LoopDef[];
  readonly clock?: Clock;
}

export interface FlowRun extends SampleTools {
  readonly run: SampleRun;
}

/** A run of a flow, with the sample tools. */
export function openFlow(
  flow: FlowNode | LoopDef,
  options: Partial<SampleRunOptions> = {},
): FlowRun {
  const loop = "version" in flow ? flow : flowLoop(flow);
  const sample = sampleTools();
  const { tools } = sample;
  const run = openRun({ loops: [loop, ...sampleLoops], tools, ...options });
  return { ...sample, run };
}

/** How often time is moved on while a turn waits. */
const MOVES_MAX = 200;
const MOVE_MS = 500;

/** Lets a turn go on until it has ended, or waits: time passes meanwhile. */
export async function turnOn(run: SampleRun): Promise<TurnResult> {
  const turning = run.turn().then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  for (let moves = 0; moves < MOVES_MAX; moves++) {
    await settle();
    const ended = await Promise.race([turning, settle()]);
    if (ended === undefined) {
      run.clock.advance(MOVE_MS);
      continue;
    }
    if ("error" in ended) throw ended.error;
    return ended.result;
  }
  throw new Error("the turn does not end");
}

/** Drives a run to the end of its turn, also where it crashes or waits for a time. */
export async function driveOn(run: SampleRun): Promise<TurnResult | "crashed at its end"> {
  for (let turns = 0; turns < MOVES_MAX; turns++) {
    const result = await turnOn(run).catch((error: unknown) => {
      if (error instanceof Error && error.message === "crash") return undefined;
      throw error;
    });
    const isClosed = (await run.types()).at(-1) === "turn.closed";
    if (result === undefined && isClosed) return "crashed at its end";
    if (result?.kind === "waiting" && result.untilMs !== undefined)
      run.clock.advance(Math.max(0, result.untilMs - run.clock.now()));
    else if (result !== undefined) return result;
  }
  throw new Error("the run does not end");
}

/** Runs a flow whose worker dies at one append; undefined where there is none so late. */
export async function crashOnce(
  flow: FlowNode,
  { moment, place, input }: CrashOptions,
): Promise<FlowRun | undefined> {
  let appends = 0;
  const crash = crashAt(place);
  const crashing = (): void => {
    appends += 1;
    crash();
  };
  const opened = openFlow(flow, { input, [moment]: crashing });
  await driveOn(opened.run);
  return appends < place ? undefined : opened;
}

export const MOMENTS = ["beforeAppend", "afterAppend"] as const;

interface CrashOptions {
  readonly moment: (typeof MOMENTS)[number];
  /** The append, counted from one. */
  readonly place: number;
  readonly input: JsonValue;
}

/** The way that a flow took: what it called, skipped and tried again, where and how it ended. */
export function wayOf(events: readonly (LoopEvent | CallEvent)[]): string[] {
  const paths = new Map<string, string>();
  return events.flatMap((event) => {
    switch (event.type) {
      case "child.started": {
        const { child, path = "" } = event.content;
        paths.set(child, path);
        return [path];
      }
      case "child.completed":
        return event.content.status === "ok" ? [] : [`${paths.get(event.content.child)} failed`];
      case "step.retried": {
        const { path, attempt, delayMs, code } = event.content;
        return [`${path} again ${attempt} after ${delayMs}: ${code}`];
      }
      case "step.skipped": {
        const { path, because, code } = event.content;
        return [`${path} skipped: ${because}${code === undefined ? "" : ` ${code}`}`];
      }
      default:
        return [];
    }
  });
}

/** A delay that is waited for with the turn put down. */
export const LONG_MS = WAIT_IN_PLACE_MS_MAX + 1;
