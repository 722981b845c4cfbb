/**
 * `node --conditions=turnseal-source examples/chat/serve-chat.ts`: `turnseal serve` with the agent
 * of this folder, and the page that talks with it. Both listen on this machine alone, until Ctrl-C.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const PORT = Number(process.env["CHAT_PORT"] ?? 8788);
const SERVER_PORT = Number(process.env["CHAT_SERVER_PORT"] ?? 8787);
const STORE = process.env["CHAT_STORE"] ?? ".turnseal/chat";

const page = `http://127.0.0.1:${PORT}`;
const server = `http://127.0.0.1:${SERVER_PORT}`;
const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const { output } = await build({
  input: pathOf("page/chat-page.ts"),
  platform: "browser",
  resolve: { conditionNames: ["turnseal-source", "import", "default"] },
  transform: { define: { SERVER_URL: JSON.stringify(server) } },
  output: { format: "iife" },
  write: false,
});
const files = new Map([
  ["/", { type: "text/html", text: readFileSync(pathOf("page/index.html"), "utf8") }],
  ["/page.css", { type: "text/css", text: readFileSync(pathOf("page/page.css"), "utf8") }],
  ["/page.js", { type: "text/javascript", text: output[0].code }],
]);

const pages = createServer((request, response) => {
  const file = files.get(request.url ?? "");
  if (file === undefined) return void response.writeHead(404).end();
  response.writeHead(200, {
    "content-type": `${file.type}; charset=utf-8`,
    // Nothing but our own files, and nobody to talk with but the agent.
    "content-security-policy": `default-src 'self'; img-src data: blob:; connect-src ${server}`,
  });
  response.end(file.text);
}).listen(PORT, "127.0.0.1");

const agent = spawn(
  process.execPath,
  [
    ...[pathOf("../../apps/cli/bin/turnseal.js"), "serve", "--from", pathOf("loops.ts")],
    ...["--insecure-localhost", "--port", String(SERVER_PORT), "--origin", page, "--store", STORE],
  ],
  { stdio: ["ignore", "inherit", "inherit"] },
);
agent.on("exit", (code) => {
  pages.close();
  pages.closeAllConnections();
  process.exitCode = code ?? 0;
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => agent.kill(signal));
console.log(`the chat is at ${page}`);
