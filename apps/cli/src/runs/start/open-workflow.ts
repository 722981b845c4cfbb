/**
 * A workflow of the package, started by its name in any folder.
 *
 * 1. The code of the folder is not loaded: only a document of that name is read there.
 * 2. The grant is what the verbs of the document need in this folder, and no more.
 */
import { existsSync } from "node:fs";
import { relative } from "node:path";
import type { Grant, RunBounds } from "@turnseal/protocol";
import {
  bindModels,
  listReachable,
  type Target,
  WORKSPACE_ROOT,
  WORKSPACE_VERBS,
} from "@turnseal/runtime/project";
import { RefusalError } from "../../terminal/refusal.ts";
import { isWorkflowName, locateShipped, locateWorkflow } from "../../terminal/shipped-workflows.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";

/** The budget of a run, where the command line has none. */
const BUDGET = { modelCalls: 100, toolCalls: 400 };

interface StartOptions {
  /** True to run a file as a workflow of the package. */
  readonly workspace?: boolean;
  readonly from?: readonly string[];
  readonly grant?: string;
  readonly allow?: string;
  readonly policy?: string;
  readonly task?: string;
  readonly input?: string;
  readonly inputFile?: string;
}

export interface OpenedWorkflow {
  /** Where its loops are. */
  readonly loop: string;
  readonly from: readonly string[];
  /** A standing approval has its place in these rules, beside the question that it answers. */
  readonly policy: string;
  readonly asksHere: true;
  /** Throws where no model is configured that the document names. */
  narrow(target: Target, asked: Asked, environment: Surroundings["environment"]): Promise<Asked>;
}

interface Asked {
  readonly grant: Grant;
  readonly bounds: Partial<RunBounds>;
}

/** Undefined for any other loop, and where the command line says where the loops are. */
export function openWorkflow(name: string, options: StartOptions): OpenedWorkflow | undefined {
  if (options.from !== undefined) return undefined;
  if (!isWorkflowName(name) && options.workspace !== true) return undefined;
  const given = options.task ?? options.input ?? options.inputFile;
  if (name === "dwim" && given === undefined)
    throw new RefusalError("dwim has no task", "turnseal run dwim --task '<what to do>'");
  const isGranted = options.grant !== undefined || options.allow !== undefined;
  return {
    ...{ loop: isWorkflowName(name) ? locateWorkflow(name) : name, from: [WORKSPACE_VERBS] },
    policy: options.policy ?? relative("", locateShipped("templates/workflows/rules.toml")),
    asksHere: true,
    narrow: async (target, { grant, bounds }, environment) => {
      await requireModel(name, target, environment);
      return {
        grant: isGranted ? grant : await grantFolder(target, grant),
        // The document says how many decisions there are: another turn would begin anew.
        bounds: { turnsMax: 1, ...bounds },
      };
    },
  };
}

async function requireModel(
  name: string,
  target: Target,
  environment: Surroundings["environment"],
): Promise<void> {
  const [problem] = (await bindModels(target, environment)).problems;
  if (problem === undefined) return;
  const [, variable] = /\bset (\w+)/.exec(problem.mend ?? "") ?? [];
  const file = isWorkflowName(name) ? `${name}.toml` : name;
  const other = existsSync(file)
    ? `name another provider in ${file}`
    : `set the variable of another provider, and turnseal init --workflow ${name}`;
  const next = variable === undefined ? other : `export ${variable}=...  (or ${other})`;
  throw new RefusalError(`no model is configured: ${problem.message}`, next);
}

async function grantFolder(target: Target, grant: Grant): Promise<Grant> {
  // Other commands need none of the tools: they are loaded here.
  const { workspaceTerms } = await import("@turnseal/tools/workspace");
  const named = listReachable(target).flatMap(({ definition }) => definition.tool ?? []);
  const tools = [...new Set(named.map(({ implementation }) => implementation))].toSorted();
  const terms = workspaceTerms(WORKSPACE_ROOT, tools);
  return { ...grant, tools, terms: [...terms], budget: { ...BUDGET, ...grant.budget } };
}
