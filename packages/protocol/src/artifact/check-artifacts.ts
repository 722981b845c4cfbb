/** Whether artifacts can be managed together: each for itself, and beside the others. */
import { ARTIFACTS_MAX, type Artifact, isArtifact, isRootName } from "./artifact.ts";
import { findPathFault, findTwins, PATH_FAULTS } from "./artifact-path.ts";

/** Why artifacts cannot be managed; `path` is the first affected one. */
export interface ArtifactProblem {
  readonly kind: "artifact" | "count" | "path" | "repeated" | "root" | "twin";
  readonly path: string;
  readonly message: string;
}

/** Everything that is wrong with a list of artifacts from outside; empty when it can be taken. */
export function checkArtifacts(values: readonly unknown[]): readonly ArtifactProblem[] {
  if (values.length > ARTIFACTS_MAX)
    return [{ kind: "count", path: "", message: `there are more than ${ARTIFACTS_MAX} artifacts` }];
  const problems: ArtifactProblem[] = [];
  const pathsOf = new Map<string, string[]>();
  for (const value of values) {
    if (!isArtifact(value)) {
      problems.push(explainRefusal(value));
      continue;
    }
    const place = `${value.kind}:${value.root}`;
    const paths = pathsOf.get(place);
    if (paths === undefined) pathsOf.set(place, [value.path]);
    else paths.push(value.path);
  }
  for (const paths of pathsOf.values()) problems.push(...checkTogether(paths));
  return problems;
}

function explainRefusal(value: unknown): ArtifactProblem {
  const { root, path } = (value ?? {}) as Partial<Record<keyof Artifact, unknown>>;
  if (typeof path !== "string")
    return { kind: "artifact", path: "", message: "an artifact has a path" };
  const fault = findPathFault(path);
  // A refused path is not repeated: it may be long, or not what it looks like.
  if (fault !== undefined) return { kind: "path", path: "", message: PATH_FAULTS[fault] };
  if (!isRootName(root))
    return { kind: "root", path, message: "a root has a name of a-z, 0-9, `.`, `_` and `-`" };
  return { kind: "artifact", path, message: `the artifact ${path} is not of the stated shape` };
}

function checkTogether(paths: readonly string[]): ArtifactProblem[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const path of paths) {
    if (seen.has(path)) repeated.add(path);
    seen.add(path);
  }
  return [
    ...[...repeated].map((path) => ({
      kind: "repeated" as const,
      path,
      message: `the artifact ${path} is named twice`,
    })),
    ...findTwins(seen).map((twins) => ({
      kind: "twin" as const,
      path: twins[0] ?? "",
      message: `${twins.join(" and ")} are one file where case does not count`,
    })),
  ];
}
