/**
 * Given to `node --import` with a file as query `to`: writes down which fields the events of runs
 * have, one line for each shape, while the runtime records them.
 */
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { describeShape, type Recorded } from "./event-shape.ts";

const file = new URL(import.meta.url).searchParams.get("to") ?? "";
const target = new URL("../../packages/kernel/src/log/appender.ts", import.meta.url).href;
const place = "options.fold(event);";
const seen = new Set<string>();

Object.assign(globalThis, {
  noteEvent: (event: Recorded) => {
    const line = JSON.stringify(describeShape(event));
    if (seen.has(line)) return;
    seen.add(line);
    appendFileSync(file, `${line}\n`);
  },
});

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (url !== target) return loaded;
    const source = String(loaded.source);
    if (source.split(place).length !== 2) throw new Error(`${place} must stand once`);
    return { ...loaded, source: source.replace(place, `${place} globalThis.noteEvent(event);`) };
  },
});
