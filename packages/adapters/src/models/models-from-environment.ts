/**
 * Binds the backends that an environment names. The environment is an argument: nothing here reads
 * that of the process.
 */
import type { Model } from "@turnseal/ports";
import { bindBackend } from "./bind-backend.ts";
import { ENVIRONMENT_BACKENDS } from "./environment-backends.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The models whose key or address is set, by backend id.
 *
 * @example createRuntime({ loops, models: modelsFromEnvironment(process.env) })
 */
export function modelsFromEnvironment(environment: Environment): Record<string, Model> {
  const set = ENVIRONMENT_BACKENDS.filter(
    ({ switchVariable }) => readVariable(environment, switchVariable) !== undefined,
  );
  const entries = set.map((backend) => {
    const { id, keyVariable, modelVariable, urlVariable } = backend;
    const model = bindBackend({
      backend,
      url: readVariable(environment, urlVariable),
      urlName: urlVariable ?? "its settings",
      model: readVariable(environment, modelVariable),
      keyName: keyVariable,
      readKey: async () => readVariable(environment, keyVariable),
    });
    return [id, model] as const;
  });
  return Object.fromEntries(entries);
}

// An empty value means that it is not set.
function readVariable(environment: Environment, name: string | undefined): string | undefined {
  const value = name === undefined ? undefined : environment[name]?.trim();
  return value === "" ? undefined : value;
}
