/**
 * The run of a chat. A page names its chat itself, before there is a run: the name is part of the
 * key under which the first message starts one. A run is a chat by its id, too, for everybody who
 * may see the run: that is how a chat is shared.
 */
import { runOfKey } from "@turnseal/host";
import { isUuid } from "@turnseal/protocol";
import type { Caller } from "../caller.ts";
import { type Agent, hasRun, type SessionHost } from "../session-host.ts";
import { hideKey } from "./hidden-key.ts";

export interface Chat {
  readonly run: string;
  /** The key that the run is started with; undefined if it was started without one. */
  readonly key: string | undefined;
  readonly isBegun: boolean;
}

export interface ChatOwner {
  readonly host: Pick<SessionHost, "stores">;
  readonly caller: Pick<Caller, "tenant" | "id">;
}

export interface ChatName {
  readonly agents: Readonly<Record<string, Agent>>;
  readonly agent: string;
  readonly id: string;
}

/** Undefined if no such agent is served. */
export async function findChat(
  { host, caller }: { readonly host: SessionHost; readonly caller: Caller },
  { agents, agent, id }: ChatName,
): Promise<Chat | undefined> {
  if (!Object.hasOwn(agents, agent)) return undefined;
  if (isUuid(id) && (await hasRun(host, id))) return { run: id, key: undefined, isBegun: true };
  const key = await chatKey({ host, caller }, { agent, id });
  const run = runOfKey(key, host.cell);
  return { run, key, isBegun: await hasRun(host, run) };
}

/** The name of a chat is its owner's: the same name of another person is another chat. */
export function chatKey(
  { host, caller }: ChatOwner,
  { agent, id }: Pick<ChatName, "agent" | "id">,
): Promise<string> {
  return hideKey(host, ["chat", caller.tenant, caller.id, agent, id]);
}
