/**
 * Finds tools and backends that loops need and the host lacks, before anything is stored or spent.
 * A composite must not fail at its last step for a missing key.
 */
import type { BoundTools, CheckedLoop } from "@turnseal/kernel";
import { listBackends } from "@turnseal/protocol";

export interface Unbound {
  readonly code: "BACKEND_UNBOUND" | "TOOL_UNBOUND";
  readonly loop: CheckedLoop;
  /** The backend, or the name of the tool. */
  readonly name: string;
  /** Where the document of the loop names it. */
  readonly path: string;
  readonly message: string;
}

/** Tools that the kernel brings along: some are functions, some are people or other runs. */
const builtIn = /^(builtin:|turnseal\.)/;

/** The function of a tool loop that is not there. */
export function listUnboundTools(loop: CheckedLoop, tools: BoundTools): Unbound[] {
  const { kind, tool, version } = loop.definition;
  const name = tool?.implementation;
  if (kind !== "tool" || name === undefined) return [];
  if (builtIn.test(name) || tools.find(name, version) !== undefined) return [];
  const message = `no function is bound to ${name}`;
  return [{ code: "TOOL_UNBOUND", loop, name, path: "/tool/implementation", message }];
}

/**
 * Lists the missing backends of a prompt, fallbacks included: a missing fallback should show before
 * it is needed.
 */
export function listUnboundBackends(
  loop: CheckedLoop,
  models: { has(backend: string): boolean },
): Unbound[] {
  const { kind, id, policy } = loop.definition;
  if (kind !== "prompt") return [];
  return listBackends(loop.definition).flatMap(({ id: name }, index) => {
    if (models.has(name)) return [];
    const path = policy?.routes === undefined ? "/backend/id" : `/policy/routes/${index}/id`;
    const message = `${id} asks the backend ${name}, which is not set up`;
    return [{ code: "BACKEND_UNBOUND", loop, name, path, message } as const];
  });
}
