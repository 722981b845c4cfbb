/** Two prompts for a model that knows two tools, on a store in a file. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { fileKeys } from "@turnseal/adapters/keys";
import { aiSdkModel } from "@turnseal/adapters/models";
import { type SqliteStores, sqliteStores } from "@turnseal/adapters/sqlite";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import type { LiveBus } from "@turnseal/ports";
import { canonicalize, type Grant, type JsonValue } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { verifyTree } from "@turnseal/protocol/receipts";

export interface Question {
  readonly question: string;
}

export interface WeatherDeskOptions {
  /** Where the store and the keys are. */
  readonly folder: string;
  /** The address of the model. */
  readonly url: string;
  /** Told of each execution of a tool; it is over when this is. */
  readonly onTool: (name: string, input: JsonValue) => Promise<void> | void;
  readonly live?: LiveBus;
}

export interface WeatherDesk {
  readonly host: LocalHost;
  readonly stores: SqliteStores;
  start(question: string): Promise<string>;
  /** Every finding of a verifier that has the run's events, its receipts and the public keys. */
  verify(run: string): Promise<readonly unknown[]>;
}

const grant: Grant = {
  grantor: "ada",
  tools: ["local.get_weather", "local.add"],
  budget: { rounds: 6, toolCalls: 4 },
};

export async function openWeatherDesk(options: WeatherDeskOptions): Promise<WeatherDesk> {
  const { folder, url, onTool, live } = options;
  const getWeather = defineTool({
    ...{ id: "get_weather", version: "1.0.0", effect: "read", build: "1" },
    input: jsonSchema<{ readonly city: string }>({
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
    }),
    output: jsonSchema<JsonValue>(true),
    run: async (input) => {
      await onTool("get_weather", { city: input.city });
      return { sky: "sunny" };
    },
  });
  const add = defineTool({
    ...{ id: "add", version: "1.0.0", effect: "read", build: "1" },
    input: jsonSchema<{ readonly a: number; readonly b: number }>({
      type: "object",
      properties: { a: { type: "integer" }, b: { type: "integer" } },
      required: ["a", "b"],
    }),
    output: jsonSchema<JsonValue>(true),
    run: async (input) => {
      await onTool("add", { ...input });
      return input.a + input.b;
    },
  });
  const agent = definePrompt({
    ...{ id: "desk", version: "1.0.0", tools: [getWeather, add], temperature: 0 },
    backend: { id: "llama", model: "tiny-tools" },
    input: jsonSchema<Question>({
      type: "object",
      properties: { question: { type: "string" } },
      required: ["question"],
    }),
    output: jsonSchema<{ readonly text: string }>({
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
    }),
    template: "{{question}}",
  });
  const provider = createOpenAICompatible({ name: "llama", baseURL: url, includeUsage: true });
  const keys = fileKeys({ folder: `${folder}/keys` });
  const stores = sqliteStores({ file: `${folder}/runs.db` });
  const host = createLocalHost({
    loops: [getWeather, add, agent],
    models: { llama: aiSdkModel(provider, { defaultModel: "tiny-tools" }) },
    stores,
    signer: await keys.openSigner(),
    ...(live !== undefined && { live }),
  });
  return {
    host,
    stores,
    start: (question) => host.start(agent, { question }, { grant }),
    verify: async (run) => {
      const events = await stores.log.read(run, 1);
      const stored = await stores.receipts.list(run, 1);
      const receipts = stored.map(({ envelope }) => canonicalize(envelope));
      const verdict = await verifyTree([{ run, events, receipts }], {
        keys: await keys.listKeys(),
      });
      return [...verdict.runs.flatMap(({ findings }) => findings), ...verdict.set.findings];
    },
  };
}
