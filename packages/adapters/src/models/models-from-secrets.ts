/** Binds backends whose keys come from a source of secrets. */
import type { Model, Secrets } from "@turnseal/ports";
import { bindBackend } from "./bind-backend.ts";
import { ENVIRONMENT_BACKENDS } from "./environment-backends.ts";

/** The settings of one backend. They contain no secret. */
export interface BackendSettings {
  /** The name of the secret that holds the key; otherwise that of the usual variable. */
  readonly secret?: string;
  readonly url?: string;
  /** The model that answers when a prompt names none. */
  readonly model?: string;
}

/**
 * The named backends, by their id. A key is read right before the request that needs it, each time.
 *
 * @example modelsFromSecrets(secrets, { openai: {}, anthropic: { secret: "anthropic.key" } })
 */
export function modelsFromSecrets(
  secrets: Secrets,
  backends: Readonly<Record<string, BackendSettings>>,
): Record<string, Model> {
  const entries = Object.entries(backends).map(([id, { secret, url, model }]) => {
    const backend = ENVIRONMENT_BACKENDS.find((known) => known.id === id);
    if (backend === undefined) throw new RangeError(`no backend is called ${JSON.stringify(id)}`);
    const keyName = secret ?? backend.keyVariable;
    const urlName = "its settings";
    const readKey = () => secrets.read(keyName);
    return [id, bindBackend({ backend, url, urlName, model, keyName, readKey })] as const;
  });
  return Object.fromEntries(entries);
}
