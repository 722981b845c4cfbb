import { fileURLToPath } from "node:url";
import { createRuntime, loadWorkflow } from "turnseal";
import { manualClock, seededIds } from "turnseal/testing";
import { analyze, edit, models, resetFiles, view } from "./loops.ts";

/** The workflows of the folder, each with what it is given. */
const calls = {
  "validate-fix": { file: "main.py" },
  "validate-until-fixed": { file: "main.py" },
  tidy: {},
  dwim: { task: "Mend the slips in this project." },
};

for (const [name, input] of Object.entries(calls)) {
  const file = fileURLToPath(new URL(`loops/${name}.toml`, import.meta.url));
  const loading = await loadWorkflow(file, [view, analyze, edit]);
  if (loading.kind === "refused") throw new Error(JSON.stringify(loading.problems));
  const { loop } = loading;
  const parts = { clock: manualClock(), ids: seededIds(name) };
  const result = await createRuntime({ loops: [loop], models, ...parts }).call(loop, input);

  console.log(
    `${name}: ${result.trace.filter(({ type }) => type === "child.started").length} calls`,
  );
  console.log(JSON.stringify(result.status === "ok" ? result.output : result.error));
  resetFiles();
}
