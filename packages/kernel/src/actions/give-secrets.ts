/** Reads the secrets that a tool declares, right before it acts. */
import {
  SECRET_BYTES_MAX,
  SECRET_BYTES_MIN,
  SecretError,
  type Secrets,
  type ToolBinding,
} from "@turnseal/ports";
import { LoopError, REASON_LENGTH_MAX, readErrorFacts } from "@turnseal/protocol";
import { TOOL_SECRETS_MAX } from "../limits.ts";
import { createRedactor, type Redactor } from "./redact.ts";

export interface GivenSecrets {
  readonly values: Readonly<Record<string, string>>;
  readonly redactor: Redactor;
}

/** For a tool that declares none. */
export const noSecrets: GivenSecrets = { values: {}, redactor: createRedactor([]) };

export function hasSecrets({ secrets = [] }: Pick<ToolBinding, "secrets">): boolean {
  return secrets.length > 0;
}

/** The declared secrets, all of them. Throws a `SecretError` if one cannot be read. */
export async function giveSecrets(
  { secrets: names = [] }: Pick<ToolBinding, "secrets">,
  secrets: Secrets,
): Promise<GivenSecrets> {
  if (names.length > TOOL_SECRETS_MAX)
    throw new SecretError("SECRET_UNUSABLE", `a tool has at most ${TOOL_SECRETS_MAX} secrets`);
  const values = new Map<string, string>();
  for (const name of names) values.set(name, await readSecret(name, secrets));
  return {
    values: Object.freeze(Object.fromEntries(values)),
    redactor: createRedactor([...values.values()]),
  };
}

async function readSecret(name: string, secrets: Secrets): Promise<string> {
  let value: string | undefined;
  try {
    value = await secrets.read(name);
  } catch {
    // The failure text of a secret store is not repeated.
    throw new SecretError("SECRET_UNUSABLE", `the secret ${name} cannot be read`);
  }
  if (value === undefined || value === "")
    throw new SecretError("SECRET_MISSING", `the secret ${name} is not there`);
  // A store is foreign code, so its type proves nothing.
  const isText = typeof value === "string" && value.isWellFormed();
  const bytes = isText ? new TextEncoder().encode(value).length : 0;
  if (bytes < SECRET_BYTES_MIN || bytes > SECRET_BYTES_MAX) {
    const wanted = `${SECRET_BYTES_MIN} to ${SECRET_BYTES_MAX} bytes`;
    throw new SecretError("SECRET_UNUSABLE", `the secret ${name} is no text of ${wanted}`);
  }
  return value;
}

/** A tool's error without its secrets: its code and its retry advice stay. */
class ToldError extends LoopError<string> {}

/** The longest words that are looked through; the end of longer ones is not kept anyway. */
const WORDS_LENGTH_MAX = REASON_LENGTH_MAX * 32;

export function redactError(error: unknown, { text }: Redactor): Error {
  const message = text(readWords(error).slice(0, WORDS_LENGTH_MAX).toWellFormed());
  const { code, retry } = readErrorFacts(error);
  return code === undefined ? new Error(message) : new ToldError({ code, retry, message });
}

function readWords(error: unknown): string {
  try {
    const words: unknown = error instanceof Error ? error.message : String(error);
    return typeof words === "string" ? words : "";
  } catch {
    // A hostile error may throw when it is read.
    return "";
  }
}
