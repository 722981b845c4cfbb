export { readMplp } from "./read-mplp.ts";
export { readProv } from "./read-prov.ts";
