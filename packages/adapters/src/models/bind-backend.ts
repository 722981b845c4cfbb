/**
 * One backend as a model, through its own optional package.
 *
 * 1. A backend with faulty settings is bound all the same, to a model whose error says what to fix.
 * 2. The key is read for each request, so that a new one counts at once. No object holds it where
 *    it could be inspected.
 */
import { type Model, ModelError } from "@turnseal/ports";
import type { ModelErrorCode } from "@turnseal/protocol";
import { type AiSdkProvider, aiSdkModel } from "./ai-sdk-model.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { EnvironmentBackend } from "./environment-backends.ts";

type ProviderFactory = (settings: Readonly<Record<string, unknown>>) => AiSdkProvider;

export interface BackendBinding {
  readonly backend: EnvironmentBackend;
  readonly url?: string | undefined;
  /** The setting for a missing or invalid address. */
  readonly urlName: string;
  readonly model?: string | undefined;
  /** Where a key that is not there is to be put: the name of a variable or of a secret. */
  readonly keyName: string;
  readonly readKey: () => Promise<string | undefined>;
}

/** The model of a backend. Its package is loaded with the first request. */
export function bindBackend(binding: BackendBinding): Model {
  const { backend } = binding;
  const { id } = backend;
  const defaultModel = binding.model ?? backend.defaultModel;
  const baseURL = binding.url ?? backend.defaultUrl;
  return {
    defaultModel,
    tellsFirstPiece: true,
    ...(backend.takes !== undefined && { takes: backend.takes }),
    generate: async (request) => {
      if (baseURL === undefined || !/^https?:/i.test(baseURL) || !URL.canParse(baseURL)) {
        throw unusable(
          "MODEL_UNREACHABLE",
          `${id} needs an http or https address in ${binding.urlName}`,
        );
      }
      const createProvider = await loadFactory(backend);
      const apiKey = await readKey(binding);
      const provider = createProvider({
        ...backend.settings,
        baseURL,
        fetch: boundedFetch,
        ...(apiKey !== undefined && { apiKey }),
      });
      return aiSdkModel(provider, { defaultModel }).generate(request);
    },
  };
}

// A value read from a file often ends in a line break. An error of a secret source may contain one.
async function readKey({ backend, keyName, readKey }: BackendBinding): Promise<string | undefined> {
  const key = await readKey().then(
    (value) => value?.trim(),
    () => undefined,
  );
  if (key !== undefined && key !== "") return key;
  if (backend.isKeyOptional === true) return undefined;
  throw unusable("MODEL_UNAUTHORIZED", `${backend.id} needs a key in ${keyName}`);
}

async function loadFactory(backend: EnvironmentBackend): Promise<ProviderFactory> {
  const { id, packageName, factoryName } = backend;
  let cause: unknown;
  try {
    const loaded: unknown = await import(/* @vite-ignore */ packageName);
    const factory: unknown = Reflect.get(Object(loaded), factoryName);
    if (isProviderFactory(factory)) return factory;
  } catch (error) {
    cause = error;
  }
  // Node itself says so of a package that is not there. A bundler that left it out says another.
  const isMissing = Reflect.get(Object(cause), "code") === "ERR_MODULE_NOT_FOUND";
  const message = isMissing
    ? `${id} needs a package that is not installed: npm install ${packageName}`
    : `${id} needs ${packageName}, which cannot be loaded from here: if the program is bundled, ` +
      'keep turnseal out of the bundle (Next.js: serverExternalPackages: ["turnseal"])';
  throw unusable("MODEL_NOT_INSTALLED", message);
}

function isProviderFactory(value: unknown): value is ProviderFactory {
  return typeof value === "function";
}

function unusable(code: ModelErrorCode, message: string): ModelError {
  return new ModelError({ code, retry: "pause", message });
}
