export { type HostExtras, type HostOpening, openHost } from "./open-host.ts";
export { createRuns, openRuns } from "./open-runs.ts";
