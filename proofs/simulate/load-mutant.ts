/**
 * Given to `node --import` with the name of a mutant as query: puts the fault into the runtime
 * while it is loaded.
 */
import { registerHooks } from "node:module";
import { applyMutant } from "../mutants/mutant.ts";
import { flowGuards } from "./flow-guards.ts";
import { guardMutants } from "./guard-mutants.ts";

const name = new URL(import.meta.url).searchParams.get("mutant");
const mutant = [...guardMutants, ...flowGuards].find((candidate) => candidate.name === name);
if (mutant === undefined) throw new Error(`there is no mutant ${name}`);
const target = new URL(`../../${mutant.file}`, import.meta.url).href;

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (url !== target) return loaded;
    return { ...loaded, source: applyMutant(mutant, String(loaded.source)) };
  },
});
