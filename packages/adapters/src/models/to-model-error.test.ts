// The server is scripted at the level of HTTP, so that a real connection can have each of these
// failures.
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, NoSuchModelError, UnsupportedFunctionalityError } from "@ai-sdk/provider";
import { ModelError } from "@turnseal/ports";
import { formatErrorChain } from "@turnseal/protocol";
import { afterEach, describe, expect, test } from "vitest";
import { aiSdkModel } from "./ai-sdk-model.ts";
import { RETRY_AFTER_MS_MAX, toModelError } from "./to-model-error.ts";

const SECRETS = ["key-of-the-test", "prompt of the test", "body of the test"];

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanups.splice(0)) cleanUp();
});

async function serve(reply: (response: ServerResponse) => void) {
  let requestCount = 0;
  const listener: RequestListener = (request, response) => {
    requestCount += 1;
    request.resume().on("end", () => reply(response));
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requestCount: () => requestCount };
}

async function failureOf(url: string, signal = new AbortController().signal) {
  const provider = createOpenAICompatible({
    name: "local",
    baseURL: url,
    apiKey: "key-of-the-test",
  });
  const messages = [{ role: "user", text: "prompt of the test" }] as const;
  const model = aiSdkModel(provider, { defaultModel: "small" });
  return model.generate({ model: "small", messages, signal }).then(
    () => expect.unreachable("the request must fail"),
    (error: unknown) => error,
  );
}

function expectNoLeak(error: unknown) {
  expect(error).toBeInstanceOf(ModelError);
  const texts = [String(error), formatErrorChain(error), JSON.stringify(error), inspect(error)];
  for (const secret of SECRETS) expect(texts.join("\n")).not.toContain(secret);
}

function answerStatus(status: number) {
  return (response: ServerResponse) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: "body of the test: prompt of the test" } }));
  };
}

describe("a status of the server decides the code and the advice", () => {
  test.each([
    [307, "MODEL_REFUSED", "never"],
    [400, "MODEL_REFUSED", "never"],
    [401, "MODEL_UNAUTHORIZED", "pause"],
    [402, "MODEL_UNAUTHORIZED", "pause"],
    [403, "MODEL_UNAUTHORIZED", "pause"],
    [404, "MODEL_NOT_FOUND", "never"],
    [408, "MODEL_FAILED", "retry"],
    [409, "MODEL_FAILED", "retry"],
    [422, "MODEL_REFUSED", "never"],
    [425, "MODEL_FAILED", "retry"],
    [429, "MODEL_RATE_LIMITED", "retry"],
    [499, "MODEL_FAILED", "retry"],
    [500, "MODEL_UNAVAILABLE", "retry"],
    [503, "MODEL_UNAVAILABLE", "retry"],
    [504, "MODEL_FAILED", "retry"],
    [524, "MODEL_FAILED", "retry"],
    [529, "MODEL_UNAVAILABLE", "retry"],
  ])("%i is %s, %s", async (status, code, retry) => {
    const server = await serve(answerStatus(status));
    const error = await failureOf(server.url);
    const message = `local.chat answered with status ${status}`;
    expect(error).toMatchObject({ code, retry, message });
    expect(server.requestCount()).toBe(1);
    expectNoLeak(error);
  });
});

describe("how long the server asks to be left alone", () => {
  const failWith = (responseHeaders: Record<string, string>, statusCode = 429) =>
    toModelError(
      new APICallError({
        message: "no",
        url: "http://localhost",
        requestBodyValues: {},
        statusCode,
        responseHeaders,
      }),
      { backend: "local", isAborted: false },
    ).retryAfterMs;
  const date = "Sun, 15 Nov 2026 10:00:00 GMT";

  test.each([
    ["in seconds", { "retry-after": "7" }, 7_000],
    ["in parts of a second", { "retry-after": "0.0015" }, 2],
    ["in milliseconds", { "retry-after-ms": "250", "retry-after": "7" }, 250],
    ["as a date", { "retry-after": "Sun, 15 Nov 2026 10:00:05 GMT", date }, 5_000],
    ["as a date that has passed", { "retry-after": "Sun, 15 Nov 2026 09:00:00 GMT", date }, 0],
    ["as the longest pause", { "retry-after": "86400" }, RETRY_AFTER_MS_MAX],
    ["as a longer one", { "retry-after": "86401" }, RETRY_AFTER_MS_MAX],
    ["as less than nothing", { "retry-after": "-1" }, 0],
  ])("%s is kept", (_, headers, expected) => {
    expect(failWith(headers)).toBe(expected);
  });

  test.each([
    ["nothing", {}],
    ["an empty text", { "retry-after": "" }],
    ["words", { "retry-after": "soon" }],
    ["a date without the date of the answer", { "retry-after": date }],
  ])("is not known from %s", (_, headers) => {
    expect(failWith(headers)).toBeUndefined();
  });

  test("is kept with every status that says it", () => {
    expect(failWith({ "retry-after": "1" }, 503)).toBe(1_000);
  });
});

describe("an answer that cannot be used", () => {
  test.each([
    ["no JSON", "body of the test <html>"],
    ["JSON of another shape", '{"choices": "body of the test"}'],
    ["no choice", '{"choices": []}'],
    ["nothing", ""],
  ])("is invalid when the body holds %s", async (_, body) => {
    const server = await serve((response) => void response.writeHead(200).end(body));
    const error = await failureOf(server.url);
    expect(error).toMatchObject({ code: "MODEL_ANSWER_INVALID", retry: "retry" });
    expect(server.requestCount()).toBe(1);
    expectNoLeak(error);
  });

  test("may have been processed when the connection ends before the answer", async () => {
    const server = await serve((response) => void response.socket?.resetAndDestroy());
    const error = await failureOf(server.url);
    const message = "local.chat gave no answer (ECONNRESET)";
    expect(error).toMatchObject({ code: "MODEL_FAILED", retry: "retry", message });
    expect(server.requestCount()).toBe(1);
    expectNoLeak(error);
  });

  test("is broken when the connection ends within the answer", async () => {
    const server = await serve((response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"choices":', () => response.socket?.destroy());
    });
    const error = await failureOf(server.url);
    expect(error).toMatchObject({ code: "MODEL_ANSWER_BROKEN", retry: "retry" });
    expect(server.requestCount()).toBe(1);
    expectNoLeak(error);
  });

  test("is unreachable when nobody listens", async () => {
    const server = await serve(() => {});
    for (const cleanUp of cleanups.splice(0)) cleanUp();
    const error = await failureOf(server.url);
    expect(error).toMatchObject({ code: "MODEL_UNREACHABLE", retry: "retry" });
    expect(formatErrorChain(error)).toContain("ECONNREFUSED");
    expectNoLeak(error);
  });
});

describe("an abort", () => {
  test.each([
    ["before the first byte", () => {}],
    [
      "within the answer",
      (response: ServerResponse) => void response.writeHead(200).write('{"choices":'),
    ],
  ])("%s is not a failure of the server", async (_, reply) => {
    const controller = new AbortController();
    const server = await serve((response) => {
      reply(response);
      setTimeout(() => controller.abort(new Error("prompt of the test")), 10);
    });
    const error = await failureOf(server.url, controller.signal);
    expect(error).toMatchObject({ code: "MODEL_ABORTED", retry: "never" });
    expect(server.requestCount()).toBe(1);
    expectNoLeak(error);
  });

  test("that did not come from the caller is an answer that never came", () => {
    const timeout = new DOMException("prompt of the test", "TimeoutError");
    const error = toModelError(timeout, { backend: "local", isAborted: false });
    expect(error).toMatchObject({ code: "MODEL_FAILED", retry: "retry" });
    expectNoLeak(error);
  });
});

describe("an error that a provider package throws by itself", () => {
  const context = { backend: "local", isAborted: false };

  test("names a model that the package does not know", () => {
    const unknown = new NoSuchModelError({
      modelId: "prompt of the test",
      modelType: "imageModel",
    });
    const error = toModelError(unknown, context);
    expect(error).toMatchObject({ code: "MODEL_NOT_FOUND", retry: "never" });
    expectNoLeak(error);
  });

  test("names a request that the package cannot send", () => {
    const refused = new UnsupportedFunctionalityError({ functionality: "prompt of the test" });
    const error = toModelError(refused, context);
    expect(error).toMatchObject({ code: "MODEL_REFUSED", retry: "never" });
    expectNoLeak(error);
  });

  test("asks for a key when there is none", () => {
    const missing = Object.assign(new Error("no key"), { name: "AI_LoadAPIKeyError" });
    expect(toModelError(missing, context)).toMatchObject({
      code: "MODEL_UNAUTHORIZED",
      retry: "pause",
      message: "local lacks a key or a setting",
    });
  });

  test("keeps nothing of the request, the answer or the cause", () => {
    const raw = new APICallError({
      message: "body of the test",
      url: "http://user:key-of-the-test@localhost",
      requestBodyValues: { messages: ["prompt of the test"] },
      responseBody: "body of the test",
      cause: Object.assign(new Error("prompt of the test"), { code: "key-of-the-test" }),
    });
    const error = toModelError(raw, context);
    expect(error.message).toBe("local gave no answer");
    expect(error.cause).toBeUndefined();
    expectNoLeak(error);
  });

  test("may be no error at all, or one whose causes go in a circle", () => {
    const circle = new Error("prompt of the test");
    circle.cause = circle;
    for (const thrown of [undefined, null, "prompt of the test", circle]) {
      const error = toModelError(thrown, context);
      expect(error.code).toBe("MODEL_FAILED");
      expectNoLeak(error);
    }
  });
});
