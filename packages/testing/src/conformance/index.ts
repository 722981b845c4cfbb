export { createShim } from "./create-shim.ts";
export { runShim } from "./run-shim.ts";
