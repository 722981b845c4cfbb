export {
  FILE_BYTES_MAX,
  FILE_NAME_LENGTH_MAX,
  FILE_PIXELS_MAX,
  FILES_MAX,
  REQUEST_FILE_BYTES_MAX,
} from "./file-limits.ts";
export {
  FILE_SCHEMA,
  type FileRef,
  isFileName,
  isFileRef,
  listFiles,
  toBlobRef,
  toFileRef,
} from "./file-ref.ts";
export {
  checkFile,
  checkFileHead,
  FILE_REFUSALS,
  FILE_TYPES,
  type FileRefusal,
  findFileType,
  HEAD_BYTES,
  isFileType,
  takesType,
} from "./file-type.ts";
