import type { LanguageModelV4File, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { FileToTake } from "@turnseal/ports";
import { describe, expect, test } from "vitest";
import { parseAnswer } from "./parse-answer.ts";
import { readStream } from "./read-stream.ts";

const bytes = Uint8Array.from([0x89, 0x50, 0x4e, 0x47]);
const named = { file: `hmac-sha256:${"0".repeat(64)}`, mediaType: "image/png", bytes: 4 } as const;
const made = (data: LanguageModelV4File["data"]): LanguageModelV4File => ({
  ...{ type: "file", mediaType: "image/png", data },
  providerMetadata: { google: { thoughtSignature: "s" } },
});
const written = { type: "data", data: Buffer.from(bytes).toString("base64") } as const;
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};
const finishReason = { unified: "stop", raw: "STOP" } as const;

async function read(part: LanguageModelV4File, isStreamed: boolean, takes = true) {
  const taken: FileToTake[] = [];
  const takeFile = (file: FileToTake) => {
    taken.push(file);
    return takes ? named : undefined;
  };
  const context = { backend: "test", isStructured: false, takeFile };
  if (!isStreamed)
    return {
      taken,
      ...parseAnswer({ content: [part], finishReason, usage, warnings: [] }, context),
    };
  const parts: LanguageModelV4StreamPart[] = [part, { type: "finish", finishReason, usage }];
  const stream = ReadableStream.from(parts) as ReadableStream<LanguageModelV4StreamPart>;
  const { signal } = new AbortController();
  return { taken, ...(await readStream(stream, { ...context, signal })) };
}

describe.each([false, true])("a file of an answer, streamed %s", (isStreamed) => {
  test.each([written, { type: "data", data: bytes } as const])("is kept: %o", async (data) => {
    const { taken, content } = await read(made(data), isStreamed);
    expect(taken.map((file) => [file.mediaType, [...file.bytes]])).toEqual([
      ["image/png", [...bytes]],
    ]);
    const providerData = { google: { thoughtSignature: "s" } };
    expect(content).toEqual([{ kind: "file", ...named, providerData }]);
  });

  test("is left out where it is an address, or is not taken", async () => {
    const url = new URL("http://127.0.0.1/a.png");
    const addressed = await read(made({ type: "url", url }), isStreamed);
    expect([addressed.taken, addressed.content]).toEqual([[], []]);
    expect((await read(made(written), isStreamed, false)).content).toEqual([]);
  });
});
