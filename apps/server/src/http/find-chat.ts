/**
 * The run of a chat. A page names its chat itself, before there is a run: the name is a key, within
 * the tenant and the agent, under which the first message starts one. A run that was started
 * otherwise is a chat by its id.
 */
import { runOfKey } from "@turnseal/host";
import { isUuid } from "@turnseal/protocol";
import type { Caller } from "../identity/caller.ts";
import { type Agent, hasRun, type SessionHost } from "../session-host.ts";

export interface Chat {
  readonly run: string;
  /** The key that the run is started with; undefined for one that was started otherwise. */
  readonly key: string | undefined;
  readonly isBegun: boolean;
}

export interface ChatName {
  readonly agents: Readonly<Record<string, Agent>>;
  readonly agent: string;
  readonly id: string;
}

/** Undefined where no such agent is served. */
export async function findChat(
  { host, caller }: { readonly host: SessionHost; readonly caller: Caller },
  { agents, agent, id }: ChatName,
): Promise<Chat | undefined> {
  if (!Object.hasOwn(agents, agent)) return undefined;
  if (isUuid(id) && (await hasRun(host, id))) return { run: id, key: undefined, isBegun: true };
  const key = `${caller.tenant}/chat/${agent}/${id}`;
  const run = runOfKey(key);
  return { run, key, isBegun: await hasRun(host, run) };
}
