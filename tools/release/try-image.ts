/**
 * Tries the Dockerfile without a builder. It makes the folder of the image, and runs its first
 * stage in a folder outside the repository with a registry that does not answer. Then it starts the
 * command from the result. `node tools/release/try-image.ts <folder with tarballs>`
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { repositoryRoot } from "../tidy/tree.ts";
import { readDockerfile } from "./read-dockerfile.ts";
import { run } from "./run.ts";

/** Nothing listens there. */
const NO_REGISTRY = "npm_config_registry=http://127.0.0.1:9";
const packed = resolve(process.argv[2] ?? ".turnseal/packed");
const folder = mkdtempSync(join(tmpdir(), "turnseal-image-"));
try {
  run(["node", "tools/release/image.ts", packed], repositoryRoot);
  const [stage] = readDockerfile(readFileSync(join(repositoryRoot, "Dockerfile"), "utf8"));
  for (const { name, rest } of stage?.instructions ?? []) {
    const [from = "", to = ""] = rest.split(" ");
    if (name === "COPY") cpSync(join(repositoryRoot, from), join(folder, to), { recursive: true });
    if (name === "RUN") run(["env", NO_REGISTRY, "sh", "-c", rest], folder);
  }
  tryCommand();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function tryCommand(): void {
  const bin = "node_modules/turnseal/bin/turnseal.js";
  for (const name of ["worker", "serve", "route", "migrate", "deploy", "repair"]) {
    const help = run(["node", bin, name, "--help"], folder);
    if (!help.includes(`turnseal ${name} `)) throw new Error(`${name} gives no help:\n${help}`);
  }
  // The image has the packages that only runs under an engine need: `worker` and `migrate` load
  // them first.
  const libraries = ["pg", "redis", "@restatedev/restate-sdk", "@ai-sdk/openai-compatible"];
  const imports = libraries.map((name) => `await import("${name}");`).join("\n");
  const parts = `await import("turnseal/postgres");\nawait import("turnseal/worker");\n`;
  writeFileSync(join(folder, "peers.mjs"), `${imports}\n${parts}console.log("loaded");\n`);
  const found = run(["node", "peers.mjs"], folder).trim();
  if (found !== "loaded") throw new Error(`the packages for an engine are ${found}`);
}
