import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createChatTransport } from "@turnseal/client/ai-sdk";
import { readUIMessageStream, type UIMessage } from "ai";

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const store = mkdtempSync(join(tmpdir(), "use-chat-"));
const port = await findPort();

// The server of `turnseal serve`, with the agent of loops.ts.
const server = spawn(
  process.execPath,
  [
    ...[pathOf("../../apps/cli/bin/turnseal.js"), "serve", "--from", pathOf("loops.ts")],
    ...["--insecure-localhost", "--port", String(port), "--store", store],
  ],
  { env: { ...process.env, CHAT_PACE_MS: "1" }, stdio: ["ignore", "pipe", "inherit"] },
);
await new Promise((resolve) => server.stdout.on("data", resolve));

const transport = createChatTransport({ url: `http://127.0.0.1:${port}`, agent: "support" });
const chatId = "chat-17";

// Does the same as `useChat`: sends the text, reads the message as it grows, sends the decision.
const text = "I want my money back for A-17";
const asked = await send({ id: "words-1", role: "user", parts: [{ type: "text", text }] });
console.log(asked.parts.map(describe).filter(Boolean).join("\n"));
const paid = await send({ ...asked, parts: asked.parts.map(approve) });
console.log(paid.parts.map(describe).filter(Boolean).join("\n"));

// A page that is loaded again has the same conversation, and nothing is under way.
const loaded = await transport.load(chatId);
console.log(loaded.map(({ role, parts }) => `${role}: ${parts.length} parts`).join(", "));
console.log("under way:", await transport.reconnectToStream({ chatId }));

server.kill();
await new Promise((resolve) => server.on("exit", resolve));
rmSync(store, { recursive: true });

async function send(message: UIMessage): Promise<UIMessage> {
  const stream = await transport.sendMessages({
    ...{ chatId, messages: [message], trigger: "submit-message", messageId: undefined },
    abortSignal: undefined,
  });
  const begun = message.role === "assistant" ? { message } : {};
  let last = message;
  for await (const grown of readUIMessageStream({ ...begun, stream })) last = grown;
  return last;
}

function approve(part: UIMessage["parts"][number]): UIMessage["parts"][number] {
  if (part.type !== "dynamic-tool" || part.state !== "approval-requested") return part;
  return {
    ...part,
    state: "approval-responded",
    approval: { ...part.approval, approved: true },
  };
}

function describe(part: UIMessage["parts"][number]): string {
  if (part.type === "text") return `says: ${part.text}`;
  return part.type === "dynamic-tool" ? `${part.toolName}: ${part.state}` : "";
}

async function findPort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.on("listening", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
