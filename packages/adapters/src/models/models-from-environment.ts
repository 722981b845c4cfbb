/**
 * Binds the backends that an environment names, each through its own optional package.
 *
 * 1. The environment is an argument: nothing here reads that of the process.
 * 2. A backend that is set up but cannot work is bound all the same, to a model that says what to
 *    mend.
 * 3. A key goes to the host it was set for: a redirect is an answer, not a new address.
 */
import { type Model, ModelError } from "@turnseal/ports";
import { type AiSdkProvider, aiSdkModel } from "./ai-sdk-model.ts";
import { ENVIRONMENT_BACKENDS, type EnvironmentBackend } from "./environment-backends.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type ProviderFactory = (settings: Readonly<Record<string, unknown>>) => AiSdkProvider;

interface UnusableBackend {
  readonly defaultModel: string;
  readonly message: string;
}

/**
 * The models whose key or address is set, by backend id.
 *
 * @example createRuntime({ loops, models: await modelsFromEnvironment(process.env) })
 */
export async function modelsFromEnvironment(
  environment: Environment,
): Promise<Record<string, Model>> {
  const entries = ENVIRONMENT_BACKENDS.filter(
    ({ switchVariable }) => readVariable(environment, switchVariable) !== undefined,
  ).map(async (backend) => [backend.id, await createModel(backend, environment)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function createModel(backend: EnvironmentBackend, environment: Environment): Promise<Model> {
  const { id, packageName, urlVariable, settings } = backend;
  const defaultModel = readVariable(environment, backend.modelVariable) ?? backend.defaultModel;
  const baseURL = readVariable(environment, urlVariable) ?? backend.defaultUrl;
  if (baseURL === undefined || !/^https?:/i.test(baseURL) || !URL.canParse(baseURL)) {
    const message = `${id} needs an http or https address in ${urlVariable}`;
    return unusableModel({ defaultModel, message });
  }
  const createProvider = await loadFactory(backend);
  if (createProvider === undefined) {
    const message = `${id} needs a package that cannot be loaded: npm install ${packageName}`;
    return unusableModel({ defaultModel, message });
  }
  const apiKey = readVariable(environment, backend.keyVariable);
  const provider = createProvider({
    ...settings,
    baseURL,
    fetch: fetchWithoutRedirect,
    ...(apiKey !== undefined && { apiKey }),
  });
  return aiSdkModel(provider, { defaultModel });
}

async function loadFactory(backend: EnvironmentBackend): Promise<ProviderFactory | undefined> {
  try {
    const loaded: unknown = await import(/* @vite-ignore */ backend.packageName);
    const factory: unknown = Reflect.get(Object(loaded), backend.factoryName);
    return isProviderFactory(factory) ? factory : undefined;
  } catch {
    return undefined;
  }
}

function isProviderFactory(value: unknown): value is ProviderFactory {
  return typeof value === "function";
}

function fetchWithoutRedirect(address: string | URL, init?: RequestInit): Promise<Response> {
  return fetch(address, { ...init, redirect: "manual" });
}

// The value may hold a key, so the message names the variable only.
function unusableModel({ defaultModel, message }: UnusableBackend): Model {
  return {
    defaultModel,
    generate: async () => {
      throw new ModelError({ code: "MODEL_UNREACHABLE", retry: "pause", message });
    },
  };
}

// A value read from a file often ends in a line break, and an empty one means that it is not set.
function readVariable(environment: Environment, name: string | undefined): string | undefined {
  const value = name === undefined ? undefined : environment[name]?.trim();
  return value === "" ? undefined : value;
}
