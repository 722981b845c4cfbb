export {
  listUnsealedArtifacts,
  type PackedRun,
  type PackFiles,
  type ParsedPack,
  renderPack,
} from "./evidence-pack.ts";
export { isPack, readPack, writePack } from "./pack-folder.ts";
export {
  BUNDLE_BYTES_MAX,
  type Exported,
  type ExportOptions,
  type ReadExport,
  readExport,
  verifyExport,
} from "./read-export.ts";
export { readTrustedKeys } from "./read-trusted-keys.ts";
export type { StoreVerdict } from "./store-verdict.ts";
export { addAllowed, type SingleVerdict, type Verdict, verifyDocument } from "./verify-document.ts";
export { verifyPack } from "./verify-pack.ts";
export { verifyStore } from "./verify-store.ts";
