import { pinReferences } from "@turnseal/kernel";
import type { Loop } from "@turnseal/protocol/authoring";
import { HostError } from "../host-error.ts";
import type { ClientPorts } from "../host-ports.ts";
import { listUnboundBackends, listUnboundTools } from "./list-unbound.ts";

const mends = {
  BACKEND_UNBOUND: "bind a model to it, or name mock for the scripted model",
  TOOL_UNBOUND: "bind one to it, or give the host the tool as a loop",
} as const;

/** Refuses a loop that this host could not carry, or one below it. */
export function checkBrought(
  { definition }: Loop<never, unknown>,
  { registry, models, tools }: Pick<ClientPorts, "registry" | "models" | "tools">,
): void {
  const root = registry.resolve(definition.id, definition.version);
  // What is not there at all is refused by the start itself.
  if (root === undefined) return;
  const reached = Object.values(pinReferences(registry, root));
  const loops = reached.flatMap(({ id, version }) => registry.resolve(id, version) ?? []);
  const [first] = loops.flatMap((loop) => [
    ...listUnboundTools(loop, tools),
    ...listUnboundBackends(loop, models),
  ]);
  if (first === undefined) return;
  throw new HostError(first.code, `${first.message}: ${mends[first.code]}`);
}
