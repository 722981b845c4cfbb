// Files on their way to each provider package over HTTP: the server gets the same bytes, from the
// caller, from a tool, and again in the next turn.
import { createLocalHost, type LocalHost } from "@turnseal/host";
import { createMemorySigner, memoryStores, systemClock } from "@turnseal/ports";
import { type JsonValue, sha256Hex } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import type { FileRef } from "@turnseal/protocol/files";
import { describe, expect, test } from "vitest";
import { PROVIDERS, type Provider, WIRES } from "./provider-wires.test.data.ts";
import { startScriptedServer } from "./scripted-server.test.data.ts";

const signer = await createMemorySigner();

/**
 * A file of that many bytes with the right first bytes for its type, and a mark that makes it
 * unique.
 */
function sample(head: readonly number[] | string, length: number, mark: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) bytes[at] = (at * 31 + mark * 7 + (at >> 8)) & 0xff;
  bytes.set(typeof head === "string" ? new TextEncoder().encode(head) : head);
  return bytes;
}
const pngHead = [
  ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52],
  ...[0, 0, 0, 9, 0, 0, 0, 9, 8, 6, 0, 0, 0],
];
const jpegHead = [0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 9, 0, 9, 3];
const gifHead = [...new TextEncoder().encode("GIF89a"), 9, 0, 9, 0];

const png = { mediaType: "image/png", bytes: sample(pngHead, 90_000, 1), name: "first.png" };
const jpeg = { mediaType: "image/jpeg", bytes: sample(jpegHead, 3_001, 2) };
const gif = { mediaType: "image/gif", bytes: sample(gifHead, 1_000, 3) };
const report = {
  ...{ mediaType: "application/pdf", name: "report.pdf" },
  bytes: sample("%PDF-1.7\n", 5 * 1024 * 1024, 4),
};
const drawn = sample(pngHead, 70_001, 5);

const draw = defineTool({
  ...{ id: "draw", version: "1.0.0", implementation: "local.draw", effect: "read" },
  input: jsonSchema<object>({ type: "object" }),
  output: jsonSchema<{ drawn: FileRef }>({ type: "object" }),
  run: async (_, context) => ({ drawn: await context.file(drawn, "image/png") }),
});
const agent = definePrompt({
  ...{ id: "look", version: "1.0.0", template: "{{words}}", backend: { id: "provider" } },
  input: jsonSchema<{ words: string }>({ type: "object" }),
  output: jsonSchema<JsonValue>(true),
  files: ["/photos", "/report"],
  tools: [draw],
});

const call = { id: "call_1", name: "local__draw" };
const chatCall = {
  ...{ role: "assistant", content: null },
  tool_calls: [{ id: call.id, type: "function", function: { name: call.name, arguments: "{}" } }],
};
const chatAsks = (whole: object) => ({
  ...whole,
  choices: [{ index: 0, message: chatCall, finish_reason: "tool_calls" }],
});
/** The whole answer of each provider, with a tool call instead of words. */
const ASKS: Readonly<Record<Provider, (whole: object) => object>> = {
  openai: (whole) => ({
    ...whole,
    output: [
      { type: "function_call", id: "fc_1", call_id: call.id, name: call.name, arguments: "{}" },
    ],
  }),
  "openai-chat": chatAsks,
  "openai-compatible": chatAsks,
  anthropic: (whole) => ({
    ...whole,
    content: [{ type: "tool_use", id: call.id, name: call.name, input: {} }],
    stop_reason: "tool_use",
  }),
  google: (whole) => ({
    ...whole,
    candidates: [
      {
        content: { role: "model", parts: [{ functionCall: { name: call.name, args: {} } }] },
        ...{ index: 0, finishReason: "STOP" },
      },
    ],
  }),
};

/** Every file in a body, in order: written as base64, alone or behind `data:`. */
function listSent(body: string): string[] {
  const found: string[] = [];
  JSON.parse(body, function collect(this: unknown, _: string, value: unknown) {
    const written = typeof value === "string" ? value.replace(/^data:[^,]*;base64,/, "") : "";
    if (written.length > 1_000 && !/[^A-Za-z0-9+/=]/.test(written))
      found.push(sha256Hex(new Uint8Array(Buffer.from(written, "base64"))));
    return value;
  });
  return found;
}
const digests = (files: readonly Uint8Array[]): string[] => files.map((bytes) => sha256Hex(bytes));

async function openRun(provider: Provider) {
  const server = await startScriptedServer((response) => {
    response.setHeader("content-type", "application/json");
    const { whole } = WIRES[provider];
    const isFirst = server.requestCount() === 1;
    response.end(JSON.stringify(isFirst ? ASKS[provider](whole) : whole));
  });
  const stores = memoryStores(systemClock);
  const openHost = (): LocalHost =>
    createLocalHost({
      ...{ loops: [agent, draw], stores, signer },
      models: { provider: WIRES[provider].bind(server.url) },
    });
  return { server, stores, openHost };
}
const chatting = {
  grant: { grantor: "ada", tools: ["local.draw"], budget: {} },
  bounds: { awaits: ["message"], nextInput: { words: "$.signals.message" } },
};

describe.each(PROVIDERS)("%s", (provider) => {
  test("is sent the bytes that were given, in every request", async () => {
    const { server, stores, openHost } = await openRun(provider);
    const files = { "/photos": [png, jpeg, gif], "/report": report };
    const run = await openHost().start(agent, { words: "look" }, { ...chatting, files });
    await openHost().drive(run);
    await openHost().signal(run, { name: "message", key: "b", by: "ada", payload: "again" });
    await openHost().drive(run);
    server.stop();
    const given = digests([png.bytes, jpeg.bytes, gif.bytes, report.bytes]);
    const all = [...given, ...digests([drawn])];
    expect(server.bodies.map(listSent)).toEqual([given, all, all]);

    const log = JSON.stringify(await stores.log.read(run, 1));
    expect(log.length).toBeLessThan(60_000);
    await stores.blobs.erase(run);
    for (const [digest] of log.matchAll(/hmac-sha256:[0-9a-f]{64}/g))
      expect(await stores.blobs.read(run, digest)).toBeUndefined();
  });
});

test.each(["openai", "anthropic"] as const)(
  "%s refuses what it cannot take before anything is sent",
  async (provider) => {
    const { server, stores, openHost } = await openRun(provider);
    const sound = { mediaType: "audio/wav", bytes: sample("RIFF....WAVEfmt ", 2_000, 6) };
    const files = { "/report": sound };
    const run = await openHost().start(agent, { words: "listen" }, { ...chatting, files });
    await openHost().drive(run);
    server.stop();
    expect(server.requestCount()).toBe(0);
    const settled = (await stores.log.read(run, 1)).filter(({ type }) => type === "action.settled");
    expect(settled).toMatchObject([{ content: { status: "failed", failure: "MODEL_REFUSED" } }]);
  },
);
