import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const cache = new URL("../../node_modules/.cache/", import.meta.url);

/** A worker and all that it imports as one file: many of them are started. */
export async function bundleWorker(source: URL): Promise<string> {
  const program = fileURLToPath(source);
  const folder = `turnseal-${basename(dirname(program))}`;
  const file = fileURLToPath(new URL(`${folder}/${basename(program, ".ts")}.mjs`, cache));
  await build({
    input: program,
    platform: "node",
    // It is a module of both kinds, which as one file is neither.
    external: ["pg"],
    resolve: { conditionNames: ["turnseal-source", "node", "import", "default"] },
    output: { file, format: "esm", codeSplitting: false },
  });
  return file;
}
