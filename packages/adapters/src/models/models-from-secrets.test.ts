import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { type Model, memorySecrets } from "@turnseal/ports";
import { formatErrorChain } from "@turnseal/protocol";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ENVIRONMENT_BACKENDS } from "./environment-backends.ts";
import { modelsFromSecrets } from "./models-from-secrets.ts";

const CANARY = "sk-canary-5f0c27";
const IDS = ENVIRONMENT_BACKENDS.map(({ id }) => id);

// A server that repeats the key in its answer, as some do to help find the fault.
const received: IncomingHttpHeaders[] = [];
const server = createServer((request, response) => {
  received.push(request.headers);
  request.resume().on("end", () => {
    const message = `wrong key: ${JSON.stringify(request.headers)} ${request.url}`;
    response.writeHead(401, { "content-type": "application/json", "x-echo": CANARY });
    response.end(JSON.stringify({ error: { message, type: "auth", code: CANARY } }));
  });
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => void received.splice(0));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function failureOf(model: Model | undefined, isWatched = false): Promise<unknown> {
  const messages = [{ role: "user", text: "say hello" }] as const;
  const { signal } = new AbortController();
  const watching = isWatched ? { onDelta: () => {} } : {};
  return model
    ?.generate({ model: "small", messages, signal, ...watching })
    .catch((error: unknown) => error);
}

function look(thing: unknown): string {
  const shown = inspect(thing, {
    depth: Number.POSITIVE_INFINITY,
    showHidden: true,
    getters: true,
  });
  return [shown, String(thing), JSON.stringify(thing), formatErrorChain(thing)].join("\n");
}

describe.each(IDS)("the key of %s", (id) => {
  test.each([false, true])(
    "reaches its server and appears nowhere (watched: %s)",
    async (watched) => {
      const secrets = memorySecrets({ "models.key": `${CANARY}\n` });
      const models = modelsFromSecrets(secrets, { [id]: { secret: "models.key", url } });
      const error = await failureOf(models[id], watched);
      expect(JSON.stringify(received)).toContain(CANARY);
      expect(received).toHaveLength(1);
      expect(error).toMatchObject({ code: "MODEL_UNAUTHORIZED", retry: "pause" });
      expect(look(error)).not.toContain(CANARY);
      expect(look(models)).not.toContain(CANARY);
    },
  );

  test("that cannot stand in a header appears nowhere either", async () => {
    const secrets = memorySecrets({ "models.key": `${CANARY}\nsecond line` });
    const models = modelsFromSecrets(secrets, { [id]: { secret: "models.key", url } });
    const error = await failureOf(models[id]);
    expect(error).toBeInstanceOf(Error);
    expect(received).toHaveLength(0);
    expect(look(error)).not.toContain(CANARY);
  });

  test("is looked for under the usual name when none is given", async () => {
    const name = ENVIRONMENT_BACKENDS.find((backend) => backend.id === id)?.keyVariable ?? "";
    const models = modelsFromSecrets(memorySecrets({ [name]: CANARY }), { [id]: { url } });
    await failureOf(models[id]);
    expect(JSON.stringify(received)).toContain(CANARY);
  });
});

test("a key is read with each request, so that a new one counts at once", async () => {
  const keys = ["first-key", "second-key"];
  const asked: string[] = [];
  const read = async (name: string) => {
    asked.push(name);
    return keys[asked.length - 1];
  };
  const models = modelsFromSecrets({ read }, { anthropic: { url } });
  expect(asked).toEqual([]);
  await failureOf(models["anthropic"]);
  await failureOf(models["anthropic"]);
  expect(asked).toEqual(["ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY"]);
  expect(received.map((headers) => headers["x-api-key"])).toEqual(keys);
});

test("a prompt that names no model gets the one of the settings", () => {
  const models = modelsFromSecrets(memorySecrets(), { openai: { model: "large" }, google: {} });
  expect(models["openai"]?.defaultModel).toBe("large");
  expect(models["google"]?.defaultModel).toBe("gemini-3.5-flash");
});

test("an address that is none is named without its words", async () => {
  const models = modelsFromSecrets(memorySecrets(), { openai: { url: `ftp://${CANARY}` } });
  expect(await failureOf(models["openai"])).toMatchObject({
    message: "openai needs an http or https address in its settings",
  });
});

test.each(["", "OpenAI", "toString"])("a backend called %j is refused", (id) => {
  expect(() => modelsFromSecrets(memorySecrets(), { [id]: {} })).toThrow(RangeError);
});
