/**
 * The source of callers: a file of keys, the module's own function, or the user of this machine.
 */

import { parseJsonText, readText } from "@turnseal/documents";
import { isPlainObject } from "@turnseal/protocol";
import { TENANT_DEFAULT } from "@turnseal/runtime";
import { type ApiKey, type Authenticate, apiKeys, localhostOnly } from "@turnseal/server";
import { readIdentity } from "../terminal/read-identity.ts";

export interface People {
  readonly kind: "read";
  readonly authenticate: Authenticate;
  /** In words, for the user who starts the server. */
  readonly description: string;
  /** Whose runs the keys are for. */
  readonly tenants: readonly string[];
}

export type PeopleReading =
  | People
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

export interface PeopleOptions {
  readonly keys?: string;
  readonly insecureLocalhost?: boolean;
  readonly tenant?: string | readonly string[];
}

export interface PeopleSources {
  readonly own: Authenticate | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const NEXT = "turnseal serve --keys keys.json, or --insecure-localhost for local development";

export async function readPeople(
  { keys, insecureLocalhost = false, tenant = TENANT_DEFAULT }: PeopleOptions,
  { own, environment }: PeopleSources,
): Promise<PeopleReading> {
  const tenants = [tenant].flat();
  if (insecureLocalhost) {
    const message = "--insecure-localhost cannot be combined with keys or an authenticate function";
    if (keys !== undefined || own !== undefined) return { kind: "unusable", message, next: NEXT };
    return { kind: "read", tenants, ...admitLocal(tenants[0] ?? "", environment) };
  }
  if (keys !== undefined) return readKeys(keys, own);
  if (own === undefined)
    return { kind: "unusable", message: "no authentication is configured", next: NEXT };
  const description = "the module's authenticate function";
  return { kind: "read", authenticate: own, description, tenants };
}

function admitLocal(tenant: string, environment: PeopleSources["environment"]) {
  const person = { tenant, ...readIdentity(environment) };
  return {
    authenticate: localhostOnly({ ...person, production: false }),
    description: `none: localhost only, every caller acts as ${person.id}`,
  };
}

async function readKeys(file: string, own: Authenticate | undefined): Promise<PeopleReading> {
  const no = (message: string): PeopleReading => ({
    kind: "unusable",
    message: `${file}: ${message}`,
    next: `write { "keys": [{ "sha256": "<digest>", "tenant": "default", "id": "ada" }] }`,
  });
  const read = await readText(file);
  if (read.kind === "refused") return no(read.message);
  const parsed = parseJsonText(read.text);
  if (parsed.kind === "refused") return no("not JSON");
  const keys = isPlainObject(parsed.value) ? parsed.value["keys"] : undefined;
  if (!Array.isArray(keys) || !keys.every(isPlainObject)) return no("there is no list `keys`");
  if (keys.length === 0) return no("the list `keys` is empty: no caller could connect");
  // The table checks each key, and reports its fault.
  const table = keys as unknown as readonly ApiKey[];
  try {
    const known = apiKeys(table);
    return {
      kind: "read",
      authenticate: async (request) => (await known(request)) ?? own?.(request),
      description: `keys of ${file}: ${table.length}`,
      tenants: [...new Set(table.map(({ tenant }) => tenant))],
    };
  } catch (error) {
    return no(error instanceof Error ? error.message : "unreadable");
  }
}
