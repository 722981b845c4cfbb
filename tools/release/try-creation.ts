/**
 * From nothing to a running product in three commands: `npm create turnseal` with the packages as
 * they would be published, from a registry on this machine. It runs in folders outside the
 * repository, and types the next steps as they are printed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "./run.ts";
import { type Registry, serveRegistry } from "./serve-registry.ts";

/** Steps after `npm create turnseal` until it runs. */
const STEPS_MAX = 2;
const CHAT_PORT = 18_790;
/** How often and how long to ask a starting server. */
const LOOK = { everyMs: 250, times: 240 };

const packed = resolve(process.argv[2] ?? ".turnseal/packed");
const upstream = run(["npm", "config", "get", "registry"], packed).trim();
const folder = mkdtempSync(join(tmpdir(), "turnseal-creation-"));
const registry = await serveRegistry(packed, upstream);
try {
  await tryMoney(registry);
  await tryCode(registry);
  await tryPipeline(registry);
  await tryChat(registry);
  await tryExample(registry);
} finally {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Creates and installs it, runs its test, and answers with the command that starts it. */
async function createProject(purpose: string, from: Registry): Promise<string> {
  const made = await type(`npm create turnseal ${purpose} -- --for ${purpose}`, from);
  const steps = made.out.split("\n").flatMap((line) => {
    const step = /^ {2}next: (.*)$|^ {8}(\S.*)$/.exec(line);
    return step === null ? [] : [step[1] ?? step[2] ?? ""];
  });
  if (steps.length > STEPS_MAX) throw new Error(`${purpose} takes ${steps.length} steps`);
  const [install = "", start = ""] = steps;
  await type(install, from);
  expectPart(await type(`cd ${purpose} && npm test`, from), "1 passed, 0 failed");
  return `cd ${purpose} && ${start}`;
}

async function tryMoney(from: Registry): Promise<void> {
  const start = await createProject("money", from);
  expectPart(await type(start, from, 2), "needs approval");
  expectPart(await type("cd money && npx turnseal inbox", from), "amountCents  1275");
  const approve = "cd money && npx turnseal approve last && npx turnseal resume";
  expectPart(await type(approve, from), "12.75 is paid back");
  expectPart(await type(start, from), "12.75 is paid back");
  await type("cd money && npx turnseal rollback last", from, 2);
  await type(approve, from);
  const { out } = await type("cd money && cat ledger.txt", from);
  if (!/^(\S+) paid 1275\n\1 taken back 1275\n$/.test(out)) throw new Error(`ledger.txt:\n${out}`);
}

/** Commands of root run as an account of nobody, which has to reach the project and Node. */
async function tryCode(from: Registry): Promise<void> {
  chmodSync(folder, 0o755);
  const node = join(folder, "node/bin");
  mkdirSync(node, { recursive: true });
  cpSync(process.execPath, join(node, "node"));
  const path = `export PATH=${node}:$PATH`;
  const start = `${path} && ${await createProject("code", from)}`;
  expectPart(await type(start, from, 2), "fs.edit needs approval");
  const approve = `${path} && cd code && npx turnseal approve last && npx turnseal resume`;
  expectPart(await type(approve, from), "The tests pass.");
  await type("cd code && node --test", from);
  await type("cd code && npx turnseal rollback last", from, 2);
  await type(approve, from);
  await type("cd code && node --test", from, 1);
}

async function tryPipeline(from: Registry): Promise<void> {
  const start = await createProject("pipeline", from);
  const ran = await type(start, from);
  expectPart(ran, '"done": 3,\n    "failed": 1,');
  expectPart(await type("cd pipeline && npx turnseal verify last", from), "✓ valid");
}

async function tryChat(from: Registry): Promise<void> {
  const start = await createProject("chat", from);
  const url = `http://127.0.0.1:${CHAT_PORT}`;
  const words = (text: string) => ({ id: text, role: "user", parts: [{ type: "text", text }] });
  const ask = (message: object) => askChat(url, message);
  const first = await startServer(start, url);
  expectPart(await fetchText(`${url}/`), '<div id="root">');
  expectPart(await ask(words("hello")), "people");
  expectPart(await ask(words("for 4")), "time");
  await stopServer(first);
  const second = await startServer(start, url);
  expectPart(await ask(words("at 20:00")), "tool-approval-request");
  await stopServer(second);
}

/** As `useChat` sends it: each chunk of the answer comes as it is written. */
async function askChat(url: string, message: object): Promise<Typed> {
  const response = await fetch(`${url}/v1/chats/assistant`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: "tried", messages: [message], trigger: "submit-message" }),
  });
  return { command: JSON.stringify(message), out: await response.text() };
}

async function fetchText(url: string): Promise<Typed> {
  return { command: url, out: await (await fetch(url)).text() };
}

async function startServer(command: string, url: string): Promise<ChildProcess> {
  const environment = { ...process.env, PORT: String(CHAT_PORT) };
  const server = spawn("bash", ["-c", command], {
    ...{ cwd: folder, env: environment, stdio: "ignore", detached: true },
  });
  for (let times = 0; times < LOOK.times; times++) {
    const answered = await fetch(`${url}/v1/health`).catch(() => undefined);
    if (answered?.ok === true) return server;
    await new Promise((resolve) => setTimeout(resolve, LOOK.everyMs));
  }
  await stopServer(server);
  throw new Error(`${command} did not serve ${url}`);
}

/** The shell, npm and the server: they are a group of their own. */
async function stopServer({ pid, exitCode }: ChildProcess): Promise<void> {
  if (pid === undefined || exitCode !== null) return;
  process.kill(-pid, "SIGKILL");
  const isUp = () => fetch(`http://127.0.0.1:${CHAT_PORT}/v1/health`).catch(() => undefined);
  while ((await isUp()) !== undefined) await new Promise((resolve) => setTimeout(resolve, 50));
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
