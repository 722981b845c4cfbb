import { type Finding, placeOf } from "@turnseal/documents";
import { listUnboundTools } from "@turnseal/host";
import { findNearest } from "@turnseal/protocol";
import type { Target } from "./find-target.ts";
import { listInvolved } from "./list-reachable.ts";
import { findSource } from "./load-loops.ts";

/** The tools that a call could need and that are not bound. */
export function checkTools(target: Target): Finding[] {
  const { loaded } = target;
  const unbound = listInvolved(target).flatMap((loop) => listUnboundTools(loop, loaded.tools));
  const bound = loaded.entries.flatMap(({ source }) => source.tool?.name ?? []);
  return unbound.flatMap(({ loop, name, path, message }) => {
    const source = findSource(loaded, loop);
    if (source === undefined) return [];
    const nearest = findNearest(name, bound);
    const mend =
      nearest === undefined ? "name the module that exports it with --from" : `write ${nearest}`;
    return [{ ...placeOf(source, path), rule: "tool-unbound", path, message, mend }];
  });
}
