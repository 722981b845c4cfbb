/** The hosts that commands may reach, as an operator writes them and as a proxy holds them. */

import { HOST_VERBS, type HostVerb } from "../web/need-host.ts";
import { destinationOf } from "../web/send-request.ts";
import { REACH_HOSTS_MAX } from "./limits.ts";

export interface CommandNetwork {
  /** Hosts such as `registry.npmjs.org`, with the port 443 unless they name another. */
  readonly hosts: readonly string[];
  /** By default all. With fewer no tunnel is made, since the proxy cannot see what is in it. */
  readonly verbs?: readonly HostVerb[];
  /** Those of the hosts that may have a private address. */
  readonly privateHosts?: readonly string[];
}

export interface NetworkReach {
  /** Each with its port. */
  readonly hosts: ReadonlySet<string>;
  readonly verbs: ReadonlySet<HostVerb>;
  readonly privateHosts: ReadonlySet<string>;
}

/** Throws for hosts that no proxy can hold. */
export function parseNetwork({
  hosts,
  verbs = HOST_VERBS,
  privateHosts = [],
}: CommandNetwork): NetworkReach {
  if (hosts.length === 0 || hosts.length > REACH_HOSTS_MAX)
    throw new TypeError(`\`network.hosts\` names 1 to ${REACH_HOSTS_MAX} hosts`);
  const unknown = verbs.find((verb) => !HOST_VERBS.includes(verb));
  if (unknown !== undefined || verbs.length === 0)
    throw new TypeError(`\`network.verbs\` is a list of ${HOST_VERBS.join(", ")}`);
  const named = new Set(hosts.map(parseHost));
  const trusted = privateHosts.map(parseHost);
  const stray = trusted.find((host) => !named.has(host));
  if (stray !== undefined)
    throw new TypeError(`${stray} is in \`network.privateHosts\`, and not in \`network.hosts\``);
  return { hosts: named, verbs: new Set(verbs), privateHosts: new Set(trusted) };
}

/** One spelling of a host and its port, so that there is one thing to compare. */
function parseHost(host: string): string {
  const url = URL.parse(`https://${host}`);
  const named = url === null ? "" : destinationOf(url);
  const isOne = /^[^*]+$/.test(host);
  if (isOne && (named === host || named === `${host}:443`)) return named;
  throw new TypeError(
    `${host} in \`network\` is no host: write it in lower case, such as \`docs.example.com:443\``,
  );
}
