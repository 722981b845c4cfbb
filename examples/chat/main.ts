import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSessionClient, type SessionClient, type SessionItem } from "@turnseal/client";

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const store = mkdtempSync(join(tmpdir(), "chat-"));
const port = await findPort();
const url = `http://127.0.0.1:${port}`;

// The server of `turnseal serve`, with the agent of loops.ts.
const server = spawn(
  process.execPath,
  [
    ...[pathOf("../../apps/cli/bin/turnseal.js"), "serve", "--from", pathOf("loops.ts")],
    ...["--insecure-localhost", "--port", String(port), "--store", store],
  ],
  { env: { ...process.env, CHAT_PACE_MS: "5" }, stdio: ["ignore", "pipe", "inherit"] },
);
await new Promise((resolve) => server.stdout.on("data", resolve));

const FIRST = "I ordered A-17 and C-3. Where is the first one?";
const SECOND = "And the second one?";

// The model is sent the conversation so far: it knows which orders there are.
const run = await start("support");
const client = open(run);
await until(() => countAnswers(client) === 1);
await client.send(SECOND);
await until(() => countAnswers(client) === 2);
await client.send("I want my money back for it");
await until(() => client.state().requests.length > 0);

// Another page, or the same one after a reload: it is told everything again, and asks again.
client.close();
const again = open(run);
await until(() => again.state().requests.length > 0);
for (const { id, name } of again.state().requests) {
  console.log(`asked: ${name}`);
  await again.decide({ approval: id, choice: "approve" });
}
await until(() => countAnswers(again) === 3);
for (const item of again.state().items) console.log(describe(item));
again.close();

// The same agent with `thread: false` is sent the last message alone, and has to ask.
console.log("without a thread");
const stranger = open(await start("forgetful"));
await until(() => countAnswers(stranger) === 1);
await stranger.send(SECOND);
await until(() => countAnswers(stranger) === 2);
for (const item of stranger.state().items) console.log(describe(item));
stranger.close();

server.kill();
await new Promise((resolve) => server.on("exit", resolve));
rmSync(store, { recursive: true });

/** A client names the agent and brings the input. The operator sets the grant. */
async function start(agent: string): Promise<string> {
  const response = await fetch(`${url}/v1/runs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ agent, input: { text: FIRST } }),
  });
  return ((await response.json()) as { run: string }).run;
}

function open(session: string): SessionClient {
  const opened = createSessionClient({ url, run: session });
  opened.connect();
  return opened;
}

function countAnswers(session: SessionClient): number {
  const { items } = session.state();
  return items.filter((item) => item.kind === "assistant" && !item.isPartial).length;
}

function describe(item: SessionItem): string {
  if (item.kind === "tool") return `tool: ${item.toolName} is ${item.status}`;
  return "text" in item ? `${item.kind}: ${item.text}` : item.kind;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function findPort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
