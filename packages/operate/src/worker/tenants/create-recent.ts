/**
 * The most tenants that are remembered, each with a host: the one that was used longest ago goes.
 */
export const TENANTS_KEPT_MAX = 1_000;

export type Recent<Value> = Pick<Map<string, Value>, "get" | "delete"> & {
  set(name: string, value: Value): void;
  list(): readonly Value[];
};

/** A map that forgets the oldest entry. */
export function createRecent<Value>(): Recent<Value> {
  const values = new Map<string, Value>();
  return {
    get: (name) => values.get(name),
    delete: (name) => values.delete(name),
    list: () => [...values.values()],
    set: (name, value) => {
      values.delete(name);
      values.set(name, value);
      const [oldest] = values.keys();
      if (values.size > TENANTS_KEPT_MAX && oldest !== undefined) values.delete(oldest);
    },
  };
}
