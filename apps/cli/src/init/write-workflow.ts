/** Writes the document of a workflow into a folder, so that a person can change it. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { line, renderNext, toned } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { RefusalError } from "../terminal/refusal.ts";
import { locateShipped, type WorkflowName } from "../terminal/shipped-workflows.ts";
import type { Surroundings } from "../terminal/surroundings.ts";

/** The documents that a workflow needs beside its own. */
const BESIDE: Readonly<Record<WorkflowName, readonly WorkflowName[]>> = {
  dwim: [],
  "fix-tests": ["dwim"],
  review: [],
};

interface WorkflowPlace {
  readonly folder: string | undefined;
  readonly for?: string;
  readonly example?: string;
}

/** A file that is there stays as it is. */
export async function writeWorkflow(
  name: WorkflowName,
  { folder = ".", for: purpose, example }: WorkflowPlace,
  { terminal: { out }, environment }: Surroundings,
): Promise<ExitCode> {
  if (purpose !== undefined || example !== undefined)
    throw new RefusalError(
      "--workflow excludes --for and --example: it writes a document and no project",
      `turnseal init --workflow ${name}`,
    );
  const [own = "", ...beside] = [name, ...BESIDE[name]].map((each) => `${each}.toml`);
  if (existsSync(join(folder, own)))
    throw new RefusalError(
      `${join(folder, own)} is there already: nothing was written`,
      `turnseal run ${name}  (takes the file of its folder)`,
    );
  await mkdir(folder, { recursive: true });
  const { ENVIRONMENT_BACKENDS } = await import("@turnseal/adapters/models");
  const known = ENVIRONMENT_BACKENDS.map(({ id }) => id);
  const provider = ENVIRONMENT_BACKENDS.find(
    ({ switchVariable }) => environment[switchVariable],
  )?.id;
  for (const file of [own, ...beside.filter((each) => !existsSync(join(folder, each)))]) {
    const text = await readFile(locateShipped(`templates/workflows/${file}`), "utf8");
    const named = provider === undefined ? text : nameProvider(text, provider, known);
    await writeFile(join(folder, file), named, { flag: "wx" });
    out.writeLine(line(toned("good", "✓ "), join(folder, file)));
  }
  const task = name === "dwim" ? " --task '<what to do>'" : "";
  const enter = folder === "." ? "" : `cd ${folder} && `;
  out.writeLine(renderNext(`${enter}turnseal run ${name}${task}`));
  return EXIT_CODES.done;
}

/** Writes the name in the place of the shipped one, and the others after it, in their column. */
function nameProvider(text: string, provider: string, known: readonly string[]): string {
  const others = known.filter((each) => each !== provider).join(", ");
  return text.replace(/^(provider = "openai" *)# or .*$/m, (_, shipped: string) => {
    const own = `provider = "${provider}" `.padEnd(shipped.length);
    return `${own}# or ${others}`;
  });
}
