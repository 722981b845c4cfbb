/** Checks that code reads events by their type, so that a missing field does not compile. */
import { listSources, type Tree } from "./tree.ts";

/** Those who look at a stranger's events: nothing forged is believed to be typed. */
const distrustful = /^packages\/protocol\/src\/(events|verify|receipt|approval)\//;
const byName = /\bcontent\)?(\?\.)?\[["']/;

/** Places that read a field of an event's content by its name. */
export function checkEventReads(tree: Tree): string[] {
  return listSources(tree)
    .filter((path) => !distrustful.test(path))
    .flatMap((path) =>
      (tree.get(path) ?? "")
        .split("\n")
        .flatMap((line, index) =>
          byName.test(line) ? [`${path}:${index + 1} reads a field of an event by its name`] : [],
        ),
    );
}
