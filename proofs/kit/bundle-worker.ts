import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "rolldown";
import { applyMutant, type Mutant } from "../mutants/mutant.ts";

const cache = new URL("../../node_modules/.cache/", import.meta.url);

/** A fault in one file of the runtime. */
type Fault = Pick<Mutant, "name" | "file" | "find" | "replace">;

/** A worker and all that it imports as one file: many of them are started. */
export async function bundleWorker(source: URL, fault?: Fault): Promise<string> {
  const program = fileURLToPath(source);
  const folder = `turnseal-${basename(dirname(program))}`;
  const name = [basename(program, ".ts"), ...(fault === undefined ? [] : [fault.name])].join("-");
  const file = fileURLToPath(new URL(`${folder}/${name}.mjs`, cache));
  await build({
    input: program,
    platform: "node",
    // It is a module of both kinds, which as one file is neither.
    external: ["pg"],
    plugins: fault === undefined ? [] : [putIn(fault)],
    resolve: { conditionNames: ["turnseal-source", "node", "import", "default"] },
    output: { file, format: "esm", codeSplitting: false },
  });
  return file;
}

function putIn(fault: Fault): Plugin {
  const place = fileURLToPath(new URL(`../../${fault.file}`, import.meta.url));
  return {
    name: "fault",
    load: (id) =>
      id === place
        ? { code: applyMutant(fault, readFileSync(id, "utf8")), moduleType: "ts" }
        : null,
  };
}
