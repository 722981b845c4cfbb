import type { Finding } from "@turnseal/documents";
import { checkBackends } from "../bind-models.ts";
import { isModule } from "../files/list-files.ts";
import { type CheckedAgents, checkAgents } from "./check-agents.ts";
import { checkTools } from "./check-tools.ts";
import type { LoadedLoops } from "./load-loops.ts";

/**
 * Finds problems between loops and the exports of modules: functions, models, grants and bounds.
 * Documents alone are not checked, since their functions come from elsewhere.
 */
export async function checkTogether(loaded: LoadedLoops): Promise<CheckedAgents> {
  if (!loaded.files.some(isModule)) return { problems: [], warnings: [] };
  const unbound = loaded.entries.flatMap(({ loop: { definition } }) => {
    const { id, version } = definition;
    return checkTools({ kind: "found", id, version, loaded, paths: [] });
  });
  const agents = await checkAgents(loaded);
  const alone = [...(await checkBackends(loaded)), ...unbound].map(withNext);
  return { problems: dropRepeated([...alone, ...agents.problems]), warnings: agents.warnings };
}

function withNext(finding: Finding): Finding {
  const more = finding.mend.includes("--from") ? " <the module that exports it>" : "";
  return { ...finding, next: `turnseal check ${finding.file}${more}` };
}

/** Several loops may reach the same one: its problem is reported once. */
function dropRepeated(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}
