import type { Finding } from "./documents/finding.ts";
import { placeOf } from "./documents/source.ts";
import type { Target } from "./find-target.ts";
import { listReachable } from "./list-reachable.ts";
import { findSource } from "./load-loops.ts";

/** Tools that the kernel brings along: some are functions, some are people or other runs. */
const builtIn = /^(builtin:|turnseal\.)/;

/** The tools that a call could come to need and nobody brought along. */
export function checkTools(target: Target): Finding[] {
  const { loaded } = target;
  return listReachable(target).flatMap((loop) => {
    const { version } = loop.definition;
    const name = loop.definition.tool?.implementation;
    if (loop.definition.kind !== "tool" || name === undefined) return [];
    const source = findSource(loaded, loop);
    if (
      source === undefined ||
      builtIn.test(name) ||
      loaded.tools.find(name, version) !== undefined
    )
      return [];
    const path = "/tool/implementation";
    const message = `no function is bound to ${name}`;
    const mend = "name the module that exports it with --from";
    return [{ ...placeOf(source, path), rule: "tool-unbound", path, message, mend }];
  });
}
