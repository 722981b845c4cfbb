/** Hosts that the commands of one set of tools may reach: with every verb they fill a claim. */
export const REACH_HOSTS_MAX = 7;
/** Connections of one command at the same time. */
export const PROXY_CONNECTIONS_MAX = 64;
/** Bytes that one command sends and receives. */
export const PROXY_BYTES_MAX = 1024 * 1024 * 1024;
/** How long a connection may be silent. */
export const PROXY_IDLE_MS = 60_000;
/** How long a host may take to accept a connection. */
export const PROXY_CONNECT_MS_MAX = 15_000;
/** Refusals that the result of a command names. */
export const REFUSALS_MAX = 16;
/** UTF-16 units of the host that a refusal names. */
export const REFUSED_LENGTH_MAX = 200;
