import { listUnboundTools } from "@turnseal/host";
import type { Finding } from "./documents/finding.ts";
import { placeOf } from "./documents/source.ts";
import type { Target } from "./find-target.ts";
import { listReachable } from "./list-reachable.ts";
import { findSource } from "./load-loops.ts";

/** The tools that a call could come to need and nobody brought along. */
export function checkTools(target: Target): Finding[] {
  const { loaded } = target;
  const unbound = listReachable(target).flatMap((loop) => listUnboundTools(loop, loaded.tools));
  return unbound.flatMap(({ loop, path, message }) => {
    const source = findSource(loaded, loop);
    if (source === undefined) return [];
    const mend = "name the module that exports it with --from";
    return [{ ...placeOf(source, path), rule: "tool-unbound", path, message, mend }];
  });
}
