export {
  CLOCK_SLACK_MS,
  type FileKeys,
  type FileKeysOptions,
  fileKeys,
  OVERLAP_MS_DEFAULT,
} from "./file-keys.ts";
export { type KeySigner, memoryKey } from "./key-signer.ts";
export { KEYS_ERROR_CODES, KeysError, type KeysErrorCode } from "./keys-error.ts";
export { signerFromEnvironment } from "./signer-from-environment.ts";
export { withoutSigningSecrets } from "./signing-variables.ts";
