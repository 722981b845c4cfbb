export { followMplp } from "./follow-mplp.ts";
export { MPLP_FAMILIES, type MplpEvent, type MplpFamily } from "./mplp-event.ts";
