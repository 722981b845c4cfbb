import { pinReferences } from "@turnseal/kernel";
import { parseGrant } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { HostError } from "../host-error.ts";
import type { ClientPorts } from "../host-ports.ts";
import { listUnboundBackends, listUnboundTools } from "./list-unbound.ts";
import { listUnknownTools } from "./list-unknown-tools.ts";
import type { StartOptions } from "./start-message.ts";

const mends = {
  BACKEND_UNBOUND: "bind a model to it, or name mock for the scripted model",
  TOOL_UNBOUND: "bind one to it, or give the host the tool as a loop",
} as const;

/** Refuses a run that this host could not drive, or whose grant has a slip in a name. */
export function checkBrought(
  { definition }: Loop<never, unknown>,
  { grant }: Pick<StartOptions, "grant">,
  { registry, models, tools }: Pick<ClientPorts, "registry" | "models" | "tools">,
): void {
  const root = registry.resolve(definition.id, definition.version);
  // The start itself refuses an unknown loop.
  if (root === undefined) return;
  const reached = Object.values(pinReferences(registry, root));
  const loops = reached.flatMap(({ id, version }) => registry.resolve(id, version) ?? []);
  const parsed = parseGrant(grant);
  // A grant that cannot be read is refused by the start itself.
  const [slip] = "problem" in parsed ? [] : listUnknownTools(registry, parsed);
  if (slip !== undefined) throw new HostError("GRANT_REFUSED", slip);
  const [first] = loops.flatMap((loop) => [
    ...listUnboundTools(loop, tools),
    ...listUnboundBackends(loop, models),
  ]);
  if (first === undefined) return;
  throw new HostError(first.code, `${first.message}: ${mends[first.code]}`);
}
