/**
 * The world of a case: stores in memory, a clock that stands still, ids from the name of the case,
 * the demo key. The same file gives the same bytes each time, on every machine.
 */
import { createLocalHost, type LocalHost } from "@turnseal/host";
import { type Model, memoryStores, type Stores, seededIds, type Tool } from "@turnseal/ports";
import type { Loop } from "@turnseal/protocol/authoring";
import { type VirtualClock, virtualClock } from "../world/virtual-clock.ts";
import { openDemoSigner } from "./demo-signer.ts";
import type { Difference } from "./difference.ts";
import type { Harness } from "./harness.ts";
import { type CaseFolders, openFolders } from "./open-folders.ts";
import { scriptModel, scriptTools } from "./scripts.ts";

export interface World {
  readonly host: LocalHost;
  readonly stores: Stores;
  readonly clock: VirtualClock;
  /** Waits for work of the host, whose time passes when nobody else can move it. */
  pass<Value>(work: Promise<Value>): Promise<Value>;
  readonly loop: Loop;
  readonly folders: CaseFolders;
  /** Lists requests to the model and the tools that differ from the script. */
  readonly differences: () => readonly Difference[];
}

/** The parts of a world. */
export interface WorldParts {
  readonly script: Pick<Harness, "name" | "startsAt" | "model" | "tools" | "files">;
  readonly loops: readonly Loop[];
  /** The loop of the run. */
  readonly loop: Loop;
  /** Answers in the place of the script. */
  readonly model?: Model | undefined;
}

export function openWorld({ script, loop, ...parts }: WorldParts): World {
  const { startsAt } = script;
  const clock = virtualClock();
  if (startsAt !== undefined) clock.set(Date.parse(startsAt));
  const outside = watchOutside();
  const stores = memoryStores(clock);
  const loops = parts.loops.map((each): Loop => {
    // A function takes the validated input, for any type of its author.
    const run = each.run as Tool | undefined;
    return run === undefined ? each : { ...each, run: outside.watch(run) };
  });
  const model = scriptModel(script);
  const tools = scriptTools(script, loops);
  const backends = loops.map(({ definition }) => definition.backend?.id ?? "scripted");
  const folders = openFolders(loops, script.files);
  const answering = parts.model ?? model.part;
  const host = createLocalHost({
    loops,
    stores,
    clock,
    signer: openDemoSigner(),
    ids: seededIds(`harness ${script.name}`),
    models: Object.fromEntries([...backends, "scripted"].map((name) => [name, answering])),
    tools: tools.part,
    roots: folders.roots,
  });
  return {
    ...{ host, stores, clock, loop, folders },
    pass: (work) => passTime(work, clock, outside),
    differences: () => [...model.differences(), ...tools.differences()],
  };
}

interface Outside {
  /** Functions of the operator's that have not answered. */
  readonly isBusy: () => boolean;
  watch(run: Tool): Tool;
}

function watchOutside(): Outside {
  let busy = 0;
  // Tools that share a function share the watched one too.
  const known = new WeakMap<Tool, Tool>();
  return {
    isBusy: () => busy > 0,
    watch: (run) => {
      const before = known.get(run);
      if (before !== undefined) return before;
      const watched: Tool = async (input, context) => {
        busy += 1;
        try {
          return await run(input, context);
        } finally {
          busy -= 1;
        }
      };
      // A build that nobody names follows from the source of the function.
      known.set(run, Object.assign(watched, { toString: () => String(run) }));
      return watched;
    },
  };
}

/** How often a running function is checked. */
const LOOK_MS = 5;

/** Time stands still while a function of the operator's works; else it goes on to what is due. */
async function passTime<Value>(
  work: Promise<Value>,
  clock: VirtualClock,
  { isBusy }: Outside,
): Promise<Value> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  work.then(end, end);
  for (;;) {
    await new Promise((resume) => setImmediate(resume));
    if (isOver) return work;
    // A function that never answers does not keep the process alive: this timer is unreferenced.
    if (isBusy()) await new Promise((resume) => setTimeout(resume, LOOK_MS).unref());
    else if (!clock.skip()) throw new Error("the run waits, and nothing is due");
  }
}
