import { type Mapping, parsePath } from "@turnseal/protocol";

/** True when the input of further turns takes something of this signal. */
export function readsSignal(mapping: Mapping | undefined, name: string): boolean {
  return Object.values(mapping ?? {}).some((source) => {
    if (typeof source !== "string") return false;
    const parsed = parsePath(source);
    if (parsed.kind === "refused") return false;
    const [root, signal = name] = parsed.segments;
    return root === "signals" && signal === name;
  });
}
