export { SLOTS_DEFAULT, STALL_MS_DEFAULT, TENANT_DEFAULT } from "./defaults.ts";
export { loadPolicy } from "./project/load-policy.ts";
export type { RunPlace } from "./run-place.ts";
export { createRuntime, DefinitionError, type Runtime, type RuntimeOptions } from "./runtime.ts";
export {
  type GrantToGive,
  type Turnseal,
  type TurnsealOptions,
  type TurnsealStart,
  turnseal,
} from "./turnseal.ts";
