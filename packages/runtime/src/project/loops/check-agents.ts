/**
 * Finds problems that would show only when the agents of modules are served: wrong names in their
 * grants, and paths of their bounds that lead nowhere.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { FileRule, Finding } from "@turnseal/documents";
import { listPathProblems, listUnknownTools } from "@turnseal/host";
import type { CheckedLoop } from "@turnseal/kernel";
import { type Grant, HANDOFF_TOOL, isPlainObject, parseGrant } from "@turnseal/protocol";
import { isModule } from "../files/list-files.ts";
import { listReachable } from "./list-reachable.ts";
import { listUncapped } from "./list-uncapped.ts";
import type { LoadedLoops } from "./load-loops.ts";

export interface CheckedAgents {
  readonly problems: readonly Finding[];
  /**
   * Tools that an agent may not use, and handoffs that rules cannot count: both may be intended.
   */
  readonly warnings: readonly Finding[];
}

/** Checks what modules export as `agents`. They were loaded before, for their loops. */
export async function checkAgents(loaded: LoadedLoops): Promise<CheckedAgents> {
  const problems: Finding[] = [];
  const warnings: Finding[] = [];
  for (const file of loaded.files.filter(isModule)) {
    // A module that fails to load was reported before.
    const exported = await import(pathToFileURL(resolve(file)).href).catch(() => ({}));
    const agents: unknown = exported["agents"];
    if (!isPlainObject(agents)) continue;
    for (const [name, agent] of Object.entries(agents)) {
      const found = checkAgent(agent, { loaded, file, name });
      problems.push(...found.problems);
      warnings.push(...found.warnings);
    }
  }
  return { problems, warnings };
}

interface AgentPlace {
  readonly loaded: LoadedLoops;
  readonly file: string;
  readonly name: string;
}

/** An agent without a loop that is registered is none that could be served, which serving says. */
function checkAgent(agent: unknown, place: AgentPlace): CheckedAgents {
  const { definition } = Object(Object(agent).loop) as { readonly definition?: unknown };
  const { id, version } = Object(definition) as { readonly id?: unknown; version?: unknown };
  const { registry } = place.loaded;
  const loop = typeof id === "string" ? registry.resolve(id, String(version)) : undefined;
  if (loop === undefined) return { problems: [], warnings: [] };
  const { grant: written, bounds } = agent as { readonly grant?: unknown; bounds?: unknown };
  const grant = parseGrant(written);
  const paths = isPlainObject(bounds) ? listPathProblems(bounds, loop.definition) : [];
  const lost = paths.map((message) =>
    toFinding(place, loop, { rule: "path-nowhere", path: "bounds", message, mend: MEND_PATH }),
  );
  if ("problem" in grant) {
    const { problem: message } = grant;
    const unfit = { rule: "agent-grant", path: "grant", message, mend: MEND_GRANT } as const;
    return { problems: [toFinding(place, loop, unfit), ...lost], warnings: [] };
  }
  const slips = listUnknownTools(registry, grant).map((message) =>
    toFinding(place, loop, { rule: "agent-grant", path: "grant", message, mend: MEND_NAME }),
  );
  const { policy } = agent as { readonly policy?: unknown };
  const uncounted = listUncounted({ policy, grant }, loop, place);
  const warnings = [...listUngranted(grant, loop, place), ...uncounted];
  return { problems: [...slips, ...lost], warnings };
}

const MEND_GRANT = "give it a grantor, tools and a budget";
const MEND_NAME = "write the name that the tool has";
const MEND_PATH = "name a field that the schema has";

function listUngranted(grant: Grant, loop: CheckedLoop, place: AgentPlace): Finding[] {
  const { id, version } = loop.definition;
  const target = { kind: "found", id, version, loaded: place.loaded, paths: [] } as const;
  const names = listReachable(target).flatMap(
    ({ definition }) => definition.tool?.implementation ?? [],
  );
  return [...new Set(names)]
    .filter((name) => name !== HANDOFF_TOOL && !grant.tools.includes(name))
    .map((name) =>
      toFinding(place, loop, {
        ...{ rule: "tool-ungranted", path: "grant" },
        message: `${id} can ask for ${name}, which the grant does not name: it is denied`,
        mend: `add ${name} to the tools of the grant, or leave it out if that is meant`,
      }),
    );
}

/** Rules that make handoffs wait for each other, since no cap says what one may spend. */
function listUncounted(
  { policy, grant }: { readonly policy: unknown; readonly grant: Grant },
  loop: CheckedLoop,
  place: AgentPlace,
): Finding[] {
  const { id, version } = loop.definition;
  const target = { kind: "found", id, version, loaded: place.loaded, paths: [] } as const;
  return listUncapped(policy, grant, listReachable(target)).map(({ handoff, units }) => {
    const read = units === "all" ? "spend as a whole" : `spend of ${units.join(", ")}`;
    const cap = units === "all" ? "name the units that the rule reads" : `cap ${units.join(", ")}`;
    return toFinding(place, loop, {
      ...{ rule: "handoff-uncapped", path: "policy" },
      message: `a rule reads ${read}, and ${handoff} hands off without a cap on it: while that run is open, other actions wait`,
      mend: units === "all" ? cap : `${cap} in grant.budget of ${handoff}`,
    });
  });
}

function toFinding(
  { file, name }: AgentPlace,
  { definition }: CheckedLoop,
  { path, ...found }: { rule: FileRule; path: string; message: string; mend: string },
): Finding {
  return {
    ...{ file, exportName: "agents", path: `/${name}/${path}`, ...found },
    next: `turnseal loops ${definition.id} --from ${file}`,
  };
}
