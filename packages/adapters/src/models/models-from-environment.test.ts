import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { LLMock } from "@copilotkit/aimock";
import type { Model } from "@turnseal/ports";
import { formatErrorChain } from "@turnseal/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENVIRONMENT_BACKENDS } from "./environment-backends.ts";
import { modelsFromEnvironment } from "./models-from-environment.ts";

let server: LLMock;
beforeAll(async () => {
  server = await LLMock.create({ port: 0 });
  server.onMessage(/.*/, { content: "hello" });
});
afterAll(() => server.stop());

function say(model: Model | undefined, name = model?.defaultModel ?? "") {
  const messages = [{ role: "user", text: "say hello" }] as const;
  const { signal } = new AbortController();
  return model?.generate({ model: name, messages, signal });
}

describe("a backend whose variables are set", () => {
  test.each([
    [
      "openai",
      () => ({ OPENAI_API_KEY: "key-1", OPENAI_BASE_URL: `${server.url}/v1` }),
      "/v1/responses",
    ],
    [
      "anthropic",
      () => ({ ANTHROPIC_API_KEY: "key-2", ANTHROPIC_BASE_URL: `${server.url}/v1` }),
      "/v1/messages",
    ],
    [
      "openai-compatible",
      () => ({ TURNSEAL_OPENAI_COMPATIBLE_URL: `${server.url}/v1` }),
      "/v1/chat/completions",
    ],
  ])("%s answers over HTTP, in one request", async (id, environment, path) => {
    server.clearRequests();
    const models = modelsFromEnvironment(environment());
    expect(Object.keys(models)).toEqual([id]);
    const result = await say(models[id]);
    const texts = result?.content.filter(({ kind }) => kind === "text");
    expect(texts).toMatchObject([{ kind: "text", text: "hello" }]);
    expect(result?.finishReason).toBe("stop");
    expect(server.getRequests().map((request) => request.path)).toEqual([path]);
    expect(server.getLastRequest()?.body).toMatchObject({ model: models[id]?.defaultModel });
  });

  test("is called by the name that a variable or a request gives", async () => {
    const models = modelsFromEnvironment({
      TURNSEAL_OPENAI_COMPATIBLE_URL: `${server.url}/v1`,
      TURNSEAL_OPENAI_COMPATIBLE_MODEL: "tiny",
    });
    await say(models["openai-compatible"]);
    expect(server.getLastRequest()?.body).toMatchObject({ model: "tiny" });
    await say(models["openai-compatible"], "large");
    expect(server.getLastRequest()?.body).toMatchObject({ model: "large" });
  });

  test("asks a compatible server for JSON of the schema", async () => {
    const models = modelsFromEnvironment({
      TURNSEAL_OPENAI_COMPATIBLE_URL: `${server.url}/v1`,
    });
    await models["openai-compatible"]?.generate({
      model: "tiny",
      messages: [{ role: "user", text: "say hello" }],
      outputSchema: { type: "object" },
      signal: new AbortController().signal,
    });
    expect(server.getLastRequest()?.body).toMatchObject({
      response_format: { json_schema: { schema: { type: "object" }, strict: false } },
    });
  });
});

describe("an environment that names no backend", () => {
  test.each([
    ["nothing", {}],
    ["empty values", { OPENAI_API_KEY: "", ANTHROPIC_API_KEY: " \n" }],
    ["an address without its key", { OPENAI_BASE_URL: "http://localhost" }],
  ])("because it holds %s binds no model", (_, environment) => {
    expect(modelsFromEnvironment(environment)).toEqual({});
  });

  test("is not completed from the environment of the process", () => {
    process.env["OPENAI_API_KEY"] = "key-of-the-process";
    try {
      expect(modelsFromEnvironment({})).toEqual({});
    } finally {
      delete process.env["OPENAI_API_KEY"];
    }
  });

  test("leaves no address for a package to look up by itself", () => {
    for (const { defaultUrl, urlVariable, switchVariable } of ENVIRONMENT_BACKENDS) {
      expect(defaultUrl !== undefined || urlVariable === switchVariable).toBe(true);
    }
  });
});

describe("a backend that cannot work", () => {
  test.each(["not an address", "file:///etc/passwd", "http://"])(
    "names the variable of its address %s, not the value",
    async (address) => {
      const models = modelsFromEnvironment({
        OPENAI_API_KEY: "key-1",
        OPENAI_BASE_URL: address,
      });
      await expect(say(models["openai"])).rejects.toMatchObject({
        code: "MODEL_UNREACHABLE",
        retry: "pause",
        message: "openai needs an http or https address in OPENAI_BASE_URL",
      });
    },
  );
});

test("a key stays with its host: a redirect is refused, not followed", async () => {
  const requests: IncomingMessage[] = [];
  const redirecting = createServer((request, response) => {
    requests.push(request);
    response.writeHead(307, { location: "/elsewhere" }).end();
  });
  await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
  const { port } = redirecting.address() as AddressInfo;
  try {
    const models = modelsFromEnvironment({
      ANTHROPIC_API_KEY: " key-2\n",
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    });
    const error = await say(models["anthropic"])?.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "MODEL_REFUSED", retry: "never" });
    expect(formatErrorChain(error)).toBe("anthropic.messages answered with status 307");
    expect(requests.map(({ url }) => url)).toEqual(["/messages"]);
    expect(requests[0]?.headers["x-api-key"]).toBe("key-2");
  } finally {
    redirecting.closeAllConnections();
    redirecting.close();
  }
});
