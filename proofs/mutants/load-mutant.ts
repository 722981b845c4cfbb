/**
 * Used with `node --import` and the name of a mutant as query: puts the fault into the runtime
 * while it is loaded, so that the runtime itself needs no switch for it.
 */
import { registerHooks } from "node:module";
import { applyMutant } from "./mutant.ts";
import { mutants } from "./mutants.ts";

const name = new URL(import.meta.url).searchParams.get("mutant");
const mutant = Object.values(mutants)
  .flat()
  .find((candidate) => candidate.name === name);
if (mutant === undefined) throw new Error(`there is no mutant ${name}`);
const target = new URL(`../../${mutant.file}`, import.meta.url).href;

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (url !== target) return loaded;
    return { ...loaded, source: applyMutant(mutant, String(loaded.source)) };
  },
});
