/**
 * From nothing to an approval: `npm create turnseal` with the packages as they would be published,
 * from a registry on this machine, in folders outside the repository. What it prints as the next
 * steps is typed as it is printed.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "./run.ts";
import { type Registry, serveRegistry } from "./serve-registry.ts";

/** Steps after `npm create turnseal` until a run has been approved. */
const STEPS_MAX = 3;

const packed = resolve(process.argv[2] ?? ".turnseal/packed");
const upstream = run(["npm", "config", "get", "registry"], packed).trim();
const folder = mkdtempSync(join(tmpdir(), "turnseal-creation-"));
const registry = await serveRegistry(packed, upstream);
try {
  for (const purpose of ["task", "chat", "workflow"]) await tryProject(purpose, registry);
  await tryExample(registry);
} finally {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
}

async function tryProject(purpose: string, from: Registry): Promise<void> {
  const made = await type(`npm create turnseal ${purpose} -- --for ${purpose}`, from);
  const steps = made.out.split("\n").flatMap((line) => {
    const step = /^ {2}next: (.*)$|^ {8}(\S.*)$/.exec(line);
    return step === null ? [] : [step[1] ?? step[2] ?? ""];
  });
  if (steps.length > STEPS_MAX) throw new Error(`${purpose} takes ${steps.length} steps`);
  const [install = "", begin = "", approve = ""] = steps;
  const inProject = `cd ${purpose} && `;
  await type(install, from);
  const waiting = await type(inProject + begin, from, 2);
  expectPart(waiting, "needs approval");
  // A chat goes on: it waits for the next message.
  const ended = await type(inProject + approve, from, purpose === "chat" ? 2 : 0);
  expectPart(ended, "completed");
  expectPart(ended, "\nanswer\n");
  expectPart(await type(`${inProject}npx turnseal verify last`, from), "✓ valid");
  expectPart(await type(`${inProject}npm test`, from), "1 passed, 0 failed");
}

async function tryExample(from: Registry): Promise<void> {
  await type("npm create turnseal refund -- --example refund", from);
  const ran = await type("cd refund && npm install && node main.ts", from);
  expectPart(ran, "Order A-17 is refunded.\nstopped: goal-reached\npayments: 1\nvalid: true");
  // A folder that is in use is left alone.
  await type("npm create turnseal refund", from, 64);
}

interface Typed {
  readonly command: string;
  readonly out: string;
}

/** Runs a command line, and throws with all that it said where it ends otherwise. */
function type(command: string, { url }: Registry, wanted = 0): Promise<Typed> {
  const env = {
    ...process.env,
    npm_config_registry: url,
    npm_config_cache: join(folder, "cache"),
    npm_config_yes: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_ignore_scripts: "true",
    NO_COLOR: "1",
  };
  const began = performance.now();
  return new Promise((settle, refuse) => {
    const child = spawn("bash", ["-c", command], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    child.on("close", (code) => {
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      process.stdout.write(`${seconds.padStart(7)} s  ${code}  ${command}\n`);
      if (code === wanted) settle({ command, out });
      else refuse(new Error(`${command} ended with ${code}, not ${wanted}\n${out}${err}`));
    });
  });
}

function expectPart({ command, out }: Typed, part: string): void {
  if (!out.includes(part)) throw new Error(`${command} did not print ${part}:\n${out}`);
}
