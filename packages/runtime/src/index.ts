export { SLOTS_DEFAULT, TENANT_DEFAULT } from "./defaults.ts";
export type { RunPlace } from "./run-place.ts";
export { createRuntime, DefinitionError, type Runtime, type RuntimeOptions } from "./runtime.ts";
