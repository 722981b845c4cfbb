export { followProv } from "./follow-prov.ts";
export { type ProvRecord, toProvDocument } from "./prov-record.ts";
