/** How a run is shown while it is driven: as calls, or as a conversation. */
import { type LiveBus, memoryLiveBus } from "@turnseal/ports";
import type { RunSpec } from "@turnseal/protocol";
import type { StoreFolder } from "@turnseal/runtime/folder";
import type { Terminal } from "../../screen/screen.ts";
import { watchConversation } from "./watch-conversation.ts";
import { type RunWatch, watchRun } from "./watch-run.ts";

export interface FollowOptions {
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly detach?: boolean;
}

export interface OpenedWatch {
  readonly watch: RunWatch;
  /** For the host, so that pieces of text show as they come. */
  readonly live?: LiveBus;
}

interface Watched {
  readonly folder: StoreFolder;
  readonly spec?: RunSpec | null;
}

export function openWatch(
  options: FollowOptions,
  { folder, spec = null }: Watched,
  terminal: Terminal,
): OpenedWatch {
  if (options.follow !== true) return { watch: watchRun(terminal, { ...options, spec }) };
  const live = memoryLiveBus();
  return { watch: watchConversation(terminal, { stores: folder.stores, live, spec }), live };
}

/** The options that exclude a conversation. */
export function findFollowProblem({ follow, json, detach }: FollowOptions): string | undefined {
  if (follow !== true) return undefined;
  if (json === true) return "--follow is for people: leave out --json";
  return detach === true ? "--follow needs a terminal: leave out --detach" : undefined;
}
