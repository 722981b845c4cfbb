import { type Finding, finding } from "./finding.ts";

/**
 * Follows every run up to the one at the top: a circle or a path that is too long is a finding,
 * once each.
 */
export function followParents(
  parents: ReadonlyMap<string, string | undefined>,
  depthMax: number,
): Finding[] {
  const findings: Finding[] = [];
  const depths = new Map<string, number>();
  for (const start of parents.keys()) {
    const path = new Set<string>();
    let run: string | undefined = start;
    while (run !== undefined && parents.has(run) && !depths.has(run) && !path.has(run)) {
      path.add(run);
      run = parents.get(run);
    }
    if (run !== undefined && path.has(run))
      findings.push(finding("SET_CYCLE", "a run stands above itself", { run }));
    let depth = run === undefined ? 0 : (depths.get(run) ?? 0);
    for (const below of [...path].reverse()) {
      depth += 1;
      depths.set(below, depth);
      if (depth === depthMax + 1)
        findings.push(finding("SET_TOO_DEEP", `more than ${depthMax} runs deep`, { run: below }));
    }
  }
  return findings;
}
