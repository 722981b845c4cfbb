/**
 * Knows the run and the tool that a worker executes, to name them for stray errors and for a
 * blocked event loop.
 */
import type { HostPorts } from "@turnseal/host";
import { placeOfError } from "@turnseal/protocol";
import type { LogFacts, WorkerLog } from "../worker-log.ts";
import type { WorkerMetrics } from "../worker-metrics.ts";
import { hearStrays, type Strays } from "./hear-strays.ts";
import { watchStall } from "./watch-stall.ts";

type Tools = HostPorts["tools"];

export interface Acting extends Pick<Strays, "within"> {
  /** The same ports, with tools that are noted while they are executed. */
  nameTools(ports: HostPorts): HostPorts;
  close(): void;
}

export interface ActingParts {
  readonly stallMaxMs: number;
  readonly log: WorkerLog;
  readonly metrics: WorkerMetrics;
}

export function watchActing({ stallMaxMs, log, metrics }: ActingParts): Acting {
  const strays = hearStrays((error, place) => sayStray(error, place, { log, metrics }));
  const stall = watchStall({ stallMaxMs, placeOf: strays.placeOf });
  const act = <Result>(tool: string, run: () => Promise<Result>): Promise<Result> =>
    strays.within({ tool }, () => stall.during(strays.placeOf(), run));
  return {
    within: strays.within,
    nameTools: (ports) => ({ ...ports, tools: nameTools(ports.tools, act) }),
    close: () => {
      strays.release();
      stall.close();
    },
  };
}

type Act = <Result>(tool: string, run: () => Promise<Result>) => Promise<Result>;
type Tool = NonNullable<ReturnType<Tools["find"]>>;

function nameTools(tools: Tools, act: Act): Tools {
  const known = new WeakMap<Tool, Tool>();
  const wrap = (tool: Tool, name: string): Tool => {
    const { run, reconcile } = tool;
    return {
      ...tool,
      run: (...asked) => act(name, async () => run(...asked)),
      ...(reconcile === undefined
        ? {}
        : { reconcile: (...asked) => act(name, async () => reconcile(...asked)) }),
    };
  };
  return {
    ...tools,
    find: (name, version) => {
      const tool = tools.find(name, version);
      if (tool === undefined) return undefined;
      const named = known.get(tool) ?? wrap(tool, name);
      known.set(tool, named);
      return named;
    },
  };
}

/** A stray error of one run, for the log. */
function sayStray(
  error: unknown,
  place: LogFacts,
  { log, metrics }: Pick<ActingParts, "log" | "metrics">,
): void {
  metrics.onStray();
  const at = placeOfError(error);
  log.sayError("tool.stray", error, { ...place, ...(at === undefined ? {} : { place: at }) });
}
