/** Characters of a namespaced name. */
export const OPEN_NAME_LENGTH_MAX = 64;

const namespaced = /^[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)+$/;

/** True for a dotted name in lower case, such as `payments.cents`. */
export function isNamespaced(value: unknown): value is `${string}.${string}` {
  return (
    typeof value === "string" && value.length <= OPEN_NAME_LENGTH_MAX && namespaced.test(value)
  );
}
