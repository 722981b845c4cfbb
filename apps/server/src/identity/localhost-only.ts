/** Nobody but a person at this machine, for development. */
import type { Identity } from "@turnseal/protocol";
import type { Authenticate, Caller } from "./caller.ts";

export interface LocalhostOptions extends Partial<Identity> {
  /** Whose runs they see: `default` unless given. */
  readonly tenant?: string;
  /** Whether this is production: `NODE_ENV` says so, unless given. */
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

const local: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * A page of elsewhere whose name resolves to this machine sends its own name, and another machine
 * that sends `localhost` has its own address.
 */
function isLocal({ url }: Request, address: string | undefined): boolean {
  const isNear = address === undefined || /^(::ffff:)?127\.|^::1$/.test(address);
  return isNear && local.has(new URL(url).hostname);
}
