export { type HostExtras, type HostOpening, NO_SIGNER, openHost } from "./open-host.ts";
export { createRuns, openRuns } from "./open-runs.ts";
