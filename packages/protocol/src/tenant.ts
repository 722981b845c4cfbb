/** Characters of the name of a tenant. */
export const TENANT_LENGTH_MAX = 63;

const pattern = /^[a-z0-9][a-z0-9-]*$/;

/** The form of a tenant's name, for messages. */
export const TENANT_WORDS = `lower-case letters, digits and - inside, at most ${TENANT_LENGTH_MAX}`;

/**
 * True for the name of a tenant. The grammar is the same at the command line, in the database, in
 * the keys of an engine and at the server, so that a name works in all of them.
 */
export function isTenant(value: unknown): value is string {
  return typeof value === "string" && value.length <= TENANT_LENGTH_MAX && pattern.test(value);
}
