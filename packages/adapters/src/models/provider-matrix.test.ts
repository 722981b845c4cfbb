// Each provider package over real HTTP: against a server in the shape of the provider, and against
// a bare one that sends recorded bytes, valid or not.
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { LLMock } from "@copilotkit/aimock";
import { type ModelDelta, ModelError, type ModelRequest, type ModelResult } from "@turnseal/ports";
import { afterEach, describe, expect, test } from "vitest";
import { OUTCOMES } from "./provider-matrix.test.data.ts";
import { PROVIDERS, type Provider, WIRES } from "./provider-wires.test.data.ts";
import { type ScriptedServer, startScriptedServer } from "./scripted-server.test.data.ts";

interface Case {
  /** The server, and its own count of requests. */
  readonly serve: (
    provider: Provider,
    isWatched: boolean,
  ) => Promise<Omit<ScriptedServer, "bodies">>;
  readonly request?: Partial<ModelRequest>;
  readonly isAborted?: boolean;
}

const stops: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

const inputSchema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
};
const calls = ["Oslo", "Rome"].map((city) => {
  return { name: "get_weather", arguments: JSON.stringify({ city }) };
});

const CASES: Readonly<Record<string, Case>> = {
  text: shaped((server) =>
    server.onMessage(/.*/, { content: "Hello, wide world." }, { chunkSize: 6 }),
  ),
  "parallel tool calls": shaped(
    (server, provider) => {
      // Gemini's own reason; the server has another word there.
      const end = provider === "google" ? { finishReason: "stop" } : {};
      server.onMessage(/.*/, { toolCalls: calls, ...end }, { chunkSize: 6 });
    },
    { tools: [{ name: "get_weather", inputSchema }] },
  ),
  "structured output": shaped(
    (server) => server.onMessage(/.*/, { content: '{"city":"Oslo"}' }, { chunkSize: 6 }),
    { outputSchema: inputSchema },
  ),
  "stopped by the output limit": recorded((response, wire, isWatched) => {
    response.end(renderAnswer({ ...wire, ...wire.limited }, isWatched));
  }),
  "429 with retry-after": recorded((response) => {
    response.writeHead(429, { "content-type": "application/json", "retry-after": "7" });
    response.end(JSON.stringify({ error: { message: "slower", type: "rate_limit_error" } }));
  }),
  "status 500": shaped((server) => server.nextRequestError(500)),
  "malformed answer": recorded((response) => {
    response
      .writeHead(200, { "content-type": "application/json" })
      .end('{"id": "1", "choices": [{]');
  }),
  "malformed stream": recorded((response, { beginning, middle, end }) => {
    const broken = 'event: message\ndata: {"id": "1", "choices": [{]\n\n';
    response.end([...beginning, broken, ...middle, ...end].join(""));
  }),
  "malformed from the first byte": recorded((response, { beginning, middle, end }) => {
    response.end(["data: {]\n\n", ...beginning, ...middle, ...end].join(""));
  }),
  "empty answer": recorded((response) => {
    response.writeHead(200, { "content-type": "application/json" }).end();
  }),
  "empty stream": recorded((response) => void response.end()),
  "end without finish": recorded((response, { beginning, middle }) => {
    response.end([...beginning, ...middle].join(""));
  }),
  "failure within the stream": recorded((response, { beginning, failure }) => {
    response.end([...beginning, failure].join(""));
  }),
  "connection lost within the answer": recorded((response, wire, isWatched) => {
    const text = isWatched ? wire.beginning.join("") : JSON.stringify(wire.whole).slice(0, 40);
    response.write(text, () => setTimeout(() => response.socket?.resetAndDestroy(), 20));
  }),
  "content length too large": recorded((response, wire, isWatched) => {
    const text = renderAnswer(wire, isWatched);
    response.setHeader("content-length", text.length + 100);
    response.write(text, () => response.socket?.end());
  }),
  "content length too small": recorded((response, wire, isWatched) => {
    const text = renderAnswer(wire, isWatched);
    const length = isWatched ? wire.beginning.join("").length : text.length - 10;
    response.setHeader("content-length", length);
    response.write(text, () => response.socket?.end());
  }),
  "aborted within the answer": {
    ...recorded((response, wire, isWatched) => {
      response.write(isWatched ? wire.beginning.join("") : '{"id":');
    }),
    isAborted: true,
  },
};

function renderAnswer(wire: (typeof WIRES)[Provider], isWatched: boolean): string {
  const { whole, beginning, middle, end } = wire;
  return isWatched ? [...beginning, ...middle, ...end].join("") : JSON.stringify(whole);
}

function shaped(
  script: (server: LLMock, provider: Provider) => unknown,
  request: Partial<ModelRequest> = {},
): Case {
  const serve = async (provider: Provider) => {
    const server = await LLMock.create({ port: 0 });
    script(server, provider);
    const stop = () => void server.stop();
    return { url: server.url, requestCount: () => server.getRequests().length, stop };
  };
  return { serve, request };
}

function recorded(
  reply: (response: ServerResponse, wire: (typeof WIRES)[Provider], isWatched: boolean) => void,
): Case {
  const serve = (provider: Provider, isWatched: boolean) =>
    startScriptedServer((response) => {
      response.setHeader("content-type", isWatched ? "text/event-stream" : "application/json");
      reply(response, WIRES[provider], isWatched);
    });
  return { serve };
}

describe.each(Object.keys(OUTCOMES))("%s", (row) => {
  test.each(PROVIDERS)("%s", async (provider) => {
    const isWatched = row.endsWith(", streamed");
    const { serve, request, isAborted = false } = findCase(row);
    const server = await serve(provider, isWatched);
    stops.push(server.stop);
    const model = WIRES[provider].bind(server.url);
    const controller = new AbortController();
    const deltas: ModelDelta[] = [];
    const onDelta = (delta: ModelDelta) => {
      deltas.push(delta);
      if (isAborted) controller.abort();
    };
    const abortOnceAsked = async () => {
      await expect.poll(server.requestCount).toBe(1);
      controller.abort();
    };
    const aborting = isAborted && !isWatched ? abortOnceAsked() : undefined;
    const outcome = await model
      .generate({
        model: model.defaultModel,
        messages: [{ role: "user", text: "say hello" }],
        signal: controller.signal,
        ...request,
        ...(isWatched && { onDelta }),
      })
      .catch((error: unknown) => error);
    await aborting;
    expect(render(outcome)).toBe(OUTCOMES[row]?.[provider]);
    expect(server.requestCount()).toBe(1);
    if (!(outcome instanceof ModelError)) expectTold(outcome as ModelResult, deltas, isWatched);
  });
});

test.each(PROVIDERS)("an abort within the stream ends the connection to %s", async (provider) => {
  const closed = Promise.withResolvers<void>();
  const server = await startScriptedServer((response) => {
    response.on("close", closed.resolve);
    response.setHeader("content-type", "text/event-stream");
    response.write(WIRES[provider].beginning.join(""));
  });
  stops.push(server.stop);
  const controller = new AbortController();
  const model = WIRES[provider].bind(server.url);
  const answer = model.generate({
    model: model.defaultModel,
    messages: [{ role: "user", text: "say hello" }],
    signal: controller.signal,
    onDelta: () => controller.abort(),
  });
  await expect(answer).rejects.toMatchObject({ code: "MODEL_ABORTED" });
  await closed.promise;
});

function findCase(row: string): Case {
  const found = CASES[row.replace(", streamed", "")];
  if (found === undefined) throw new RangeError(`no case is called ${row}`);
  return found;
}

function render(outcome: unknown): string {
  if (outcome instanceof ModelError) {
    const { code, retry, retryAfterMs } = outcome;
    return `${code}, ${retry}${retryAfterMs === undefined ? "" : ` after ${retryAfterMs} ms`}`;
  }
  const { content, finishReason } = outcome as ModelResult;
  const parts = content.flatMap((part) => {
    if (part.kind === "tool-call") return [`${part.toolName} ${part.input}`];
    return part.kind === "text" ? [part.text] : [];
  });
  return `${finishReason}: ${parts.join(", ")}`;
}

function expectTold({ content }: ModelResult, deltas: ModelDelta[], isWatched: boolean): void {
  const told = content.map((_, part) =>
    deltas.flatMap((delta) => (delta.part === part ? [delta.text] : [])).join(""),
  );
  const written = content.map((part) => ("text" in part ? part.text : ""));
  expect(told).toEqual(isWatched ? written : written.map(() => ""));
}

test("the README shows this table", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const lines = Object.entries(OUTCOMES).map(([row, outcomes]) => {
    const usual = outcomes.openai;
    const others = PROVIDERS.filter((provider) => outcomes[provider] !== usual);
    const exceptions = others.map((provider) => ` (${provider}: ${outcomes[provider]})`);
    return `| ${row} | ${usual}${exceptions.join("")} |`;
  });
  expect(readme).toContain(lines.join("\n"));
});
