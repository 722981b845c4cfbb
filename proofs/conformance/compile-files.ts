/** Workflow files as the suite passes them: a name and a text each, the main one first. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { LoopDef } from "@turnseal/protocol";
import { type Loop, withUsed } from "@turnseal/protocol/authoring";
import { loadWorkflow } from "@turnseal/workflow";

export type CompiledFiles =
  | { readonly kind: "compiled"; readonly loops: readonly Loop<never, unknown>[] }
  | { readonly kind: "refused"; readonly problems: readonly object[] };

/** Compiles the files, together with the loops that are known already. */
export async function compileFiles(
  files: Readonly<Record<string, string>>,
  known: readonly LoopDef[],
): Promise<CompiledFiles> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-compile-"));
  try {
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(folder, basename(name)), text);
    const [first = ""] = Object.keys(files);
    const loops = known.map((definition) => ({ definition }));
    const loading = await loadWorkflow(join(folder, basename(first)), loops);
    if (loading.kind === "refused")
      return {
        kind: "refused",
        problems: loading.problems.map(({ file, rule, position }) => {
          return { file: basename(file), rule, ...position };
        }),
      };
    const all = withUsed([loading.loop]);
    return { kind: "compiled", loops: all.filter(({ definition }) => !known.includes(definition)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
