/**
 * `node --conditions=turnseal-source examples/use-chat/serve-page.ts`: builds the page, and serves
 * it beside `turnseal serve` with the agent of this folder. Both listen on this machine alone,
 * until Ctrl-C.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const PORT = Number(process.env["CHAT_PORT"] ?? 8788);
const SERVER_PORT = Number(process.env["CHAT_SERVER_PORT"] ?? 8787);
const STORE = process.env["CHAT_STORE"] ?? ".turnseal/use-chat";

const page = `http://127.0.0.1:${PORT}`;
process.env["CHAT_SERVER_URL"] ??= `http://127.0.0.1:${SERVER_PORT}`;
const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

// Vite is loaded here, because it chooses its mode when it is loaded.
const { build, preview } = await import("vite");
const root = pathOf("page");
const outDir = process.env["CHAT_PAGE"] ?? "dist";
await build({ root, logLevel: "warn", build: { outDir } });
const pages = await preview({
  ...{ root, logLevel: "warn", build: { outDir } },
  preview: { port: PORT, host: "127.0.0.1", strictPort: true },
});

const agent = spawn(
  process.execPath,
  [
    ...[pathOf("../../apps/cli/bin/turnseal.js"), "serve", "--from", pathOf("loops.ts")],
    ...["--insecure-localhost", "--port", String(SERVER_PORT), "--origin", page, "--store", STORE],
  ],
  { stdio: ["ignore", "inherit", "inherit"] },
);
agent.on("exit", (code) => {
  process.exitCode = code ?? 0;
  void pages.close();
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => agent.kill(signal));
console.log(`the chat is at ${page}`);
