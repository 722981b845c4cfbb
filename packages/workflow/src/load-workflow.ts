import { normalize } from "node:path";
import { type Finding, pickWords, type Source } from "@turnseal/documents";
import type { JsonObject, LoopDef } from "@turnseal/protocol";
import { type Loop, withUsed } from "@turnseal/protocol/authoring";

/** A workflow that a program can call, or what is wrong with its file. */
export type WorkflowLoading =
  | { readonly kind: "loaded"; readonly loop: Loop<JsonObject> }
  | { readonly kind: "refused"; readonly problems: readonly Finding[] };

/**
 * Reads a workflow file for a program; `loops` are the loops that its actions name.
 *
 * @example
 * const fix = await loadWorkflow("loops/validate-fix.toml", [analyze, edit]);
 * if (fix.kind === "loaded") await createRuntime({ loops: [fix.loop] }).call(fix.loop, { file });
 */
export async function loadWorkflow(
  file: string,
  loops: readonly Loop<never, unknown>[],
): Promise<WorkflowLoading> {
  // The compiler of workflows is loaded by those who read one.
  const { readWorkflows } = await import("./read-workflows.ts");
  const known = withUsed(loops);
  const named = new Map(known.map(({ definition }) => [definition.id, definition]));
  const read = await readWorkflows([{ file: normalize(file), isNamed: true }], {
    findLoop: (id) => named.get(id),
    loopIds: [...named.keys()],
  });
  const problems = read.flatMap(({ findings }) => findings);
  // The files that it names were read before it.
  const [own, ...others] = read.toReversed();
  const [first, ...prompts] = own?.sources ?? [];
  if (problems.length > 0 || first === undefined) return { kind: "refused", problems };
  const brought = read.flatMap((one) => one.brought ?? []);
  const used = [...prompts, ...others.flatMap(({ sources }) => sources), ...brought];
  const { definition } = toLoop(first);
  return { kind: "loaded", loop: { definition, uses: [...used.map(toLoop), ...known] } };
}

function toLoop({ document, tool }: Source): Loop {
  return {
    // The output of the compiler is a loop; the registry checks it like any other.
    definition: document as LoopDef,
    ...(tool === undefined ? {} : { run: tool.run, ...pickWords(tool) }),
  };
}
