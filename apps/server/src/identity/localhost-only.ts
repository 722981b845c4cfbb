/** Admits only a person at this machine, for development. */
import type { Identity } from "@turnseal/protocol";
import type { Caller } from "@turnseal/sessions";
import type { Authenticate } from "./caller.ts";

export interface LocalhostOptions extends Partial<Identity> {
  /** The tenant whose runs they see: by default `default`. */
  readonly tenant?: string;
  /** Whether this is production: by default, `NODE_ENV` decides. */
  readonly production?: boolean;
}

/** The tenant of a server that has one host. */
export const TENANT_DEFAULT = "default";

/**
 * Admits every request from this machine, as one person, without authentication. For development:
 * it throws in production, where `apiKeys`, `oidc` or a function of your own says who asks.
 *
 * @example createServer({ host: await turnseal(), agents, authenticate: localhostOnly() })
 */
export function localhostOnly({
  tenant = TENANT_DEFAULT,
  id = "you",
  roles = [],
  production = process.env["NODE_ENV"] === "production",
}: LocalhostOptions = {}): Authenticate {
  if (production)
    throw new Error(
      "localhostOnly is for development: in production, authenticate with apiKeys, oidc, or a " +
        "function of your own",
    );
  const person: Caller = { tenant, id, roles };
  return (request, address) => (isLocal(request, address) ? person : undefined);
}

const hostPattern = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const addressPattern = /^(::ffff:)?127\.|^::1$/;
const proxyHeaderPattern = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/;

/**
 * A page of another name that resolves to this machine sends its own name. Another machine that
 * sends `localhost` has its own address, unless a proxy on this machine passes its requests on.
 */
function isLocal({ url, headers }: Request, address: string | undefined): boolean {
  const { host } = new URL(url);
  const passed = [...headers].filter(([name]) => proxyHeaderPattern.test(name));
  if (!hostPattern.test(host) || !hostPattern.test(headers.get("host") ?? host)) return false;
  if (address === undefined) return passed.every(isOfNext);
  return addressPattern.test(address) && passed.length === 0;
}

/** Next.js adds such headers itself, since its routes do not know the connection. */
function isOfNext([name, value]: [string, string]): boolean {
  if (name === "x-forwarded-host") return hostPattern.test(value);
  if (name === "x-forwarded-for")
    return value.split(",").every((each) => addressPattern.test(each.trim()));
  return name === "x-forwarded-port" || name === "x-forwarded-proto";
}
