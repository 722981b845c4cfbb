export { type RunPlace, TENANT_DEFAULT } from "./run-place.ts";
export { createRuntime, DefinitionError, type Runtime, type RuntimeOptions } from "./runtime.ts";
