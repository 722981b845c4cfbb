// The chat that `npm create turnseal` makes, from source: a conversation, a booking that a person
// approves, and a server that is killed in between. `tools/release/try-creation.ts` tries the page.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createChatTransport } from "@turnseal/client/ai-sdk";
import { findFreePort } from "@turnseal/runtime/engine";
import { readUIMessageStream, type UIMessage } from "ai";
import { afterEach, beforeEach, expect, test } from "vitest";
import { repositoryRoot } from "./tidy/tree.ts";

// In the repository, so that its imports are found.
const place = join(repositoryRoot, ".turnseal");
let folder = "";
let servers: ChildProcess[] = [];
beforeEach(() => {
  mkdirSync(place, { recursive: true });
  folder = mkdtempSync(join(place, "chat-template-"));
  cpSync(join(repositoryRoot, "templates/chat"), folder, { recursive: true });
  mkdirSync(join(folder, "page/dist"));
});
afterEach(async () => {
  for (const server of servers) await kill(server);
  servers = [];
  rmSync(folder, { recursive: true });
});

async function kill(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGKILL");
  await ended;
}

async function startServer(port: number): Promise<ChildProcess> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const server = spawn(process.execPath, ["--conditions=turnseal-source", "server.ts"], {
    cwd: folder,
    env: { PATH, NODE_COMPILE_CACHE, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  servers.push(server);
  await new Promise((resolve) => server.stdout.once("data", resolve));
  return server;
}

const words = (text: string): UIMessage => ({
  ...{ id: text, role: "user", parts: [{ type: "text", text }] },
});
const textOf = ({ parts }: UIMessage) =>
  parts.map((part) => (part.type === "text" ? part.text : "")).join("");

test("it books a table once a person approves, and a restart loses nothing", async () => {
  const port = await findFreePort();
  const chatId = "tried";
  const transport = createChatTransport({ url: `http://127.0.0.1:${port}`, agent: "assistant" });
  const send = async (message: UIMessage): Promise<UIMessage> => {
    const stream = await transport.sendMessages({
      ...{ chatId, messages: [message], trigger: "submit-message", messageId: undefined },
      abortSignal: undefined,
    });
    let last = message;
    const begun = message.role === "assistant" ? { message } : {};
    for await (const grown of readUIMessageStream({ ...begun, stream })) last = grown;
    return last;
  };
  const first = await startServer(port);
  expect(textOf(await send(words("hello")))).toContain("how many people");
  expect(textOf(await send(words("we are 4")))).toContain("A table for 4");
  await kill(first);
  await startServer(port);
  const asking = await send(words("at 20:00"));
  const parts = asking.parts.map((part) =>
    part.type === "dynamic-tool" && part.state === "approval-requested"
      ? {
          ...part,
          state: "approval-responded" as const,
          approval: { ...part.approval, approved: true },
        }
      : part,
  );
  expect(textOf(await send({ ...asking, parts }))).toMatch(
    /^Done: 4 people at 20:00, reference T4/,
  );
  expect(await transport.load(chatId)).toHaveLength(6);
});
