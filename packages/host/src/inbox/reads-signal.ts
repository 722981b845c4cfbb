import { listReads, parseSource } from "@turnseal/kernel";
import { isMappingSource, type Mapping, NEXT_INPUT_ROOTS } from "@turnseal/protocol";

/** True when the input of further turns takes something of this signal. */
export function readsSignal(mapping: Mapping | undefined, name: string): boolean {
  return Object.values(mapping ?? {}).some((written) => {
    // Asked before bounds are checked.
    if (!isMappingSource(written)) return false;
    const source = parseSource(written, NEXT_INPUT_ROOTS);
    if (source.kind === "refused") return false;
    return listReads(source).some(([root, signal = name]) => root === "signals" && signal === name);
  });
}
