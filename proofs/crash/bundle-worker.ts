import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const cache = new URL("../../node_modules/.cache/", import.meta.url);

/** A worker and all that it imports as one file: many of them are started. */
export async function bundleWorker(source: URL): Promise<string> {
  const program = fileURLToPath(source);
  const folder = `turnseal-${basename(dirname(program))}`;
  const file = fileURLToPath(new URL(`${folder}/worker.mjs`, cache));
  await build({
    input: program,
    platform: "node",
    resolve: { conditionNames: ["turnseal-source", "node", "import", "default"] },
    output: { file, format: "esm", codeSplitting: false },
  });
  return file;
}
