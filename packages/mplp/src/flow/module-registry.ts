import type { RuntimeModule, RuntimeModuleRegistry } from "./runtime-context.ts";

/** Modules that come and go while a program runs. */
export interface ModuleRegistry {
  /** False where the name is taken: who wants to replace a module unloads it first. */
  load(name: string, module: RuntimeModule): boolean;
  /** False where there is none of that name. */
  unload(name: string): boolean;
  /** The modules that are loaded now: a flow keeps those that it began with. */
  list(): RuntimeModuleRegistry;
}

/** The most modules that are loaded at once. */
export const MODULES_MAX = 100;

const namePattern = /^[a-z][a-z0-9_-]{0,63}$/;

export function createModuleRegistry(): ModuleRegistry {
  const modules = new Map<string, RuntimeModule>();
  return {
    load: (name, module) => {
      if (!namePattern.test(name)) throw new RangeError("a module has a name of plain characters");
      if (modules.has(name)) return false;
      if (modules.size >= MODULES_MAX)
        throw new RangeError(`at most ${MODULES_MAX} modules are loaded at once`);
      modules.set(name, module);
      return true;
    },
    unload: (name) => modules.delete(name),
    list: () => Object.freeze(Object.fromEntries(modules)),
  };
}
