/**
 * Given to `node --import` with a file as query `to`: writes down every event of every run, one a
 * line, while the runtime records them.
 */
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

const file = new URL(import.meta.url).searchParams.get("to") ?? "";
const target = new URL("../../packages/kernel/src/log/appender.ts", import.meta.url).href;
const place = "options.fold(event);";

Object.assign(globalThis, {
  noteEvent: (event: object) => appendFileSync(file, `${JSON.stringify(event)}\n`),
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
