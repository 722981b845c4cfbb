import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const program = fileURLToPath(new URL("worker.ts", import.meta.url));
const bundled = new URL("../../node_modules/.cache/turnseal-crash/worker.mjs", import.meta.url);

/** The worker and all that it imports as one file: thousands of them are started. */
export async function bundleWorker(): Promise<string> {
  const file = fileURLToPath(bundled);
  await build({
    input: program,
    platform: "node",
    resolve: { conditionNames: ["turnseal-source", "node", "import", "default"] },
    output: { file, format: "esm", codeSplitting: false },
  });
  return file;
}
