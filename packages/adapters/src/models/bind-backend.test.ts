import type { ModelRequest } from "@turnseal/ports";
import { describe, expect, test } from "vitest";
import { type BackendBinding, bindBackend } from "./bind-backend.ts";
import type { EnvironmentBackend } from "./environment-backends.ts";

const backend: EnvironmentBackend = {
  id: "local",
  packageName: "@ai-sdk/openai-compatible",
  factoryName: "createOpenAICompatible",
  switchVariable: "LOCAL_URL",
  keyVariable: "LOCAL_KEY",
  defaultModel: "small",
};

function failureOf(fields: Partial<BackendBinding>): Promise<unknown> {
  const binding = {
    backend,
    url: "http://127.0.0.1:1",
    urlName: "LOCAL_URL",
    keyName: "LOCAL_KEY",
    readKey: async () => "key",
    ...fields,
  };
  const { signal } = new AbortController();
  const request: ModelRequest = { model: "small", messages: [], signal };
  return bindBackend(binding)
    .generate(request)
    .then(
      () => expect.unreachable("the request must fail"),
      (error: unknown) => error,
    );
}

describe("a backend that cannot work is bound, and says what to mend", () => {
  test("a package that is not installed", async () => {
    const broken = { ...backend, packageName: "@ai-sdk/no-such-package" };
    expect(await failureOf({ backend: broken })).toMatchObject({
      ...{ code: "MODEL_NOT_INSTALLED", retry: "pause" },
      message: "local needs a package that is not installed: npm install @ai-sdk/no-such-package",
    });
  });

  // A bundler answers with an error of its own for an import that it did not see.
  test.each([
    ["that a bundler left out", { packageName: "data:text/javascript,throw Error('too dynamic')" }],
    ["that makes no provider", { factoryName: "createNothing" }],
  ])("a package %s", async (_, fields) => {
    const broken = { ...backend, ...fields };
    expect(await failureOf({ backend: broken })).toMatchObject({
      ...{ code: "MODEL_NOT_INSTALLED", retry: "pause" },
      message: expect.stringContaining('Next.js: serverExternalPackages: ["turnseal"]'),
    });
  });

  test.each(["not an address", "file:///etc/passwd", "http://", undefined])(
    "the address %s",
    async (url) => {
      expect(await failureOf({ url })).toMatchObject({
        code: "MODEL_UNREACHABLE",
        retry: "pause",
        message: "local needs an http or https address in LOCAL_URL",
      });
    },
  );

  test.each([
    ["is not there", async () => undefined],
    ["is empty", async () => " \n"],
    ["cannot be read", () => Promise.reject(new Error("the vault said: sk-canary"))],
  ])("a key that %s", async (_, readKey) => {
    const error = await failureOf({ readKey });
    expect(error).toMatchObject({
      code: "MODEL_UNAUTHORIZED",
      retry: "pause",
      message: "local needs a key in LOCAL_KEY",
    });
    expect(error).not.toHaveProperty("cause");
  });

  test("but not a key that the server need not have", async () => {
    const open = { ...backend, isKeyOptional: true };
    expect(await failureOf({ backend: open, readKey: async () => undefined })).toMatchObject({
      code: "MODEL_UNREACHABLE",
      retry: "retry",
    });
  });
});
