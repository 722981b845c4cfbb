export {
  BUNDLE_BYTES_MAX,
  type Exported,
  type ExportOptions,
  type ReadExport,
  readExport,
} from "./read-export.ts";
export { readTrustedKeys } from "./read-trusted-keys.ts";
export type { StoreVerdict } from "./store-verdict.ts";
export { addAllowed, type SingleVerdict, type Verdict, verifyDocument } from "./verify-document.ts";
export { verifyStore } from "./verify-store.ts";
