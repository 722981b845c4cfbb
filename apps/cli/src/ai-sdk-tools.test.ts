// A tool that was written for the AI SDK, wrapped in one line, in a run with a file store. It waits
// for a person, survives its process, and acts once.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tool } from "ai";
import { afterAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { createLocalHost, fileKeys, type LocalHost, sqliteStores } from "./public/host.ts";
import {
  canonicalize,
  definePrompt,
  fromAiSdkTool,
  type LoopEvent,
  type Model,
  type ScriptedReply,
  scriptedModel,
  verifyRun,
} from "./public/index.ts";

const root = mkdtempSync(join(tmpdir(), "turnseal-ai-sdk-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let sent: unknown[] = [];
let folder = "";
beforeEach(() => {
  sent = [];
  folder = mkdtempSync(join(root, "run-"));
});

const sendMail = tool({
  description: "Sends a mail",
  inputSchema: z.object({ to: z.string(), subject: z.string().default("(none)") }),
  execute: async (mail) => {
    sent.push(mail);
    return { queued: sent.length };
  },
});

const mail = fromAiSdkTool("send_mail", sendMail);

const clerk = definePrompt({
  ...{ id: "clerk", version: "1.0.0", tools: [mail], backend: { id: "clerk" } },
  input: z.object({ to: z.string() }),
  output: z.object({ text: z.string() }),
  template: "Write to {{to}}.",
});

/** Decides by the conversation alone, so that another process hears the same. */
const model: Model = {
  defaultModel: "clerk-1",
  generate: (request) => {
    const results = request.messages.filter(({ role }) => role === "tool");
    const replies: ScriptedReply[] = [
      { toolCalls: [{ tool: "local__send_mail", input: { to: "ada" } }] },
      "The mail is on its way.",
    ];
    return scriptedModel(replies.slice(results.length)).generate(request);
  },
};

interface Place {
  readonly host: LocalHost;
  readonly stores: ReturnType<typeof sqliteStores>;
}

async function open(): Promise<Place> {
  const stores = sqliteStores({ file: join(folder, "runs.db") });
  const signer = await fileKeys({ folder: join(folder, "keys") }).openSigner();
  const host = createLocalHost({ loops: [mail, clerk], models: { clerk: model }, stores, signer });
  return { host, stores };
}

const options = {
  key: "mail",
  grant: { grantor: "ada", tools: ["local.send_mail"], budget: { turns: 1 } },
};

test("it waits, survives its process, and acts once when it is approved", async () => {
  const first = await open();
  const run = await first.host.start(clerk, { to: "ada" }, options);
  await first.host.drive(run);
  expect(sent).toEqual([]);
  first.stores.close();

  const { host, stores } = await open();
  const [request] = await host.requests(run);
  expect(request).toMatchObject({
    name: "local.send_mail",
    description: "Run send_mail?",
    request: { to: "ada" },
    facts: { gate: "by-default", effect: "once" },
  });
  await host.decide(run, request?.id ?? "", { choice: "approve", by: { id: "ada", roles: [] } });
  await host.drive(run);
  await host.drive(run);
  expect(sent).toEqual([{ to: "ada", subject: "(none)" }]);
  expect(await host.readOutput(clerk, run)).toEqual({ text: "The mail is on its way." });
  expect(await findProblems(run, { host, stores })).toEqual([]);
  stores.close();
});

test("it is not executed when a person says no", async () => {
  const { host, stores } = await open();
  const run = await host.start(clerk, { to: "ada" }, options);
  await host.drive(run);
  const [request] = await host.requests(run);
  await host.decide(run, request?.id ?? "", { choice: "reject", by: { id: "ada", roles: [] } });
  await host.drive(run);
  expect(sent).toEqual([]);
  expect((await host.show(run))?.stopped).toBe("goal-reached");
  expect(await findProblems(run, { host, stores })).toEqual([]);
  stores.close();
});

async function findProblems(run: string, { host, stores }: Place): Promise<readonly unknown[]> {
  const events: LoopEvent[] = [];
  for await (const event of host.events(run)) events.push(event);
  const receipts = await stores.receipts.list(run, 1);
  const texts = receipts.map(({ envelope }) => canonicalize(envelope));
  const keys = await fileKeys({ folder: join(folder, "keys") }).listKeys();
  return (await verifyRun({ run, events, receipts: texts }, { keys })).findings;
}
