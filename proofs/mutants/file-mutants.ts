import type { Mutant } from "./mutant.ts";

const actions = "packages/kernel/src/actions";
const context = "packages/kernel/src/context";
const thread = "packages/kernel/src/thread";
const files = "packages/protocol/src/files";

/** Faults in which files a model is shown, and in what is kept of them. */
const shownMutants: readonly Mutant[] = [
  {
    name: "file-dropped-from-the-thread",
    file: "packages/folds/src/thread/read-message.ts",
    find: 'return { role: "user", text, ...(files === undefined ? {} : { files }) };',
    replace: 'return { role: "user", text };',
  },
  {
    name: "file-of-a-tool-not-shown",
    file: `${thread}/find-result-files.ts`,
    find: "return files.length === 0 ? {} : { files };",
    replace: "return {};",
  },
  {
    name: "file-of-an-answer-left-out",
    file: `${actions}/ask-model.ts`,
    find: "...(taken === undefined ? {} : { takeFile: taken.take }),",
    replace: "",
  },
  {
    name: "made-file-sent-to-another-model",
    file: "packages/folds/src/thread/foreign-answers.ts",
    find: 'if (part.kind === "file") return',
    replace: 'if (part.kind === "file" && part.bytes === 0) return',
  },
  {
    name: "bytes-of-a-file-in-the-event",
    file: `${actions}/ask-model.ts`,
    find: "await taken?.store(made);",
    replace: `await taken?.store(made);
      for (const file of made)
        file.mediaType = Buffer.from(await files.read(file)).toString("base64");`,
  },
  {
    name: "name-of-a-file-in-the-event",
    file: `${files}/file-ref.ts`,
    find: `export function toBlobRef({ file, bytes, mediaType }: FileRef): BlobRef {
  return { digest: file, size: bytes, mediaType };`,
    replace: `export function toBlobRef({ file, bytes, mediaType, name }: FileRef): BlobRef {
  return { digest: file, size: bytes, mediaType, ...(name && { name }) };`,
  },
  {
    name: "files-of-an-input-not-recorded",
    file: "packages/kernel/src/turn/name-files.ts",
    find: "return files.length === 0 ? {} : { files };",
    replace: "return {};",
  },
  {
    name: "files-of-a-tool-not-recorded",
    file: `${actions}/execute-tool.ts`,
    find: "if (made.size === 0) return {};",
    replace: "if (made.size >= 0) return {};",
  },
  {
    name: "summary-does-not-say-what-files",
    file: `${thread}/strategies/render-span.ts`,
    find: "...(files.length === 0 ? {} : { files })",
    replace: "",
  },
  {
    name: "handed-files-not-copied",
    file: "packages/host/src/stores/copy-run-files.ts",
    find: "if (listFiles(value, 1).length === 0) return value;",
    replace: "if (value !== undefined) return value;",
  },
  {
    name: "fork-names-files-of-the-other",
    file: `${thread}/copy-threads.ts`,
    find: "copied.push(filesOf(message).length === 0 ? message : await copyMessage(message, copy));",
    replace: "copied.push(message);",
  },
];

/** Faults in whose file it is, and whether it is what it was. */
const ownerMutants: readonly Mutant[] = [
  {
    name: "files-of-all-runs-in-one-place",
    file: "packages/kernel/src/log/run-files.ts",
    find: "  const digestOf = (bytes: Uint8Array) =>",
    replace:
      '  [run, key] = ["shared", new Uint8Array(32)];\n  const digestOf = (bytes: Uint8Array) =>',
  },
  {
    name: "input-names-any-file",
    file: "packages/kernel/src/flow/find-input-files.ts",
    find: "if ((await memory?.files.read(value)) === undefined)",
    replace: "if (memory === undefined)",
  },
  {
    name: "result-names-any-file",
    file: `${thread}/find-result-files.ts`,
    find: "if ((await ofRun.read(file)) !== undefined) files.push",
    replace: "files.push",
  },
  {
    name: "exchanged-file-sent",
    file: "packages/kernel/src/log/run-files.ts",
    find: "return digestOf(bytes) === file ? bytes : undefined;",
    replace: "return bytes;",
  },
  {
    name: "lost-file-fails-the-turn",
    file: "packages/kernel/src/journal/claim-and-act.ts",
    find: 'bounded.kind === "failed" && !hasBegun && bounded.error instanceof LogError',
    replace: 'bounded.kind === "failed" && bounded.error instanceof URIError',
  },
  {
    name: "made-file-kept-for-other-runs",
    file: "packages/kernel/src/cache/may-remember.ts",
    find: "content.files !== undefined || ",
    replace: "",
  },
];

/** Faults in what is taken as a file, how much of it, and by whom. */
const limitMutants: readonly Mutant[] = [
  {
    name: "media-type-not-checked",
    file: `${files}/file-type.ts`,
    find: 'return kind.begins(head) ? undefined : "type-false";',
    replace: "return undefined;",
  },
  {
    name: "any-media-type-taken",
    file: `${files}/file-type.ts`,
    find: 'if (kind === undefined) return "type-unknown";',
    replace: "if (kind === undefined) return undefined;",
  },
  {
    name: "file-of-any-size",
    file: `${files}/file-type.ts`,
    find: 'if (bytes.length > FILE_BYTES_MAX) return "file-too-large";',
    replace: "",
  },
  {
    name: "image-of-any-size",
    file: `${files}/file-type.ts`,
    find: 'return pixels.width * pixels.height > FILE_PIXELS_MAX ? "image-too-large" : undefined;',
    replace: "return undefined;",
  },
  {
    name: "any-number-of-files-given",
    file: "packages/host/src/messages/attach-files.ts",
    find: "entries.flatMap(([, given]) => given).length > FILES_MAX",
    replace: "entries.length > FILES_MAX",
  },
  {
    name: "any-number-of-files-shown",
    file: "packages/kernel/src/flow/find-input-files.ts",
    find: "if (found.length === FILES_MAX)",
    replace: "if (found.length < 0)",
  },
  {
    name: "file-counted-as-nothing",
    file: `${context}/message-files.ts`,
    find: "return filesOf(message).reduce((sum, file) => sum + estimateFile(file), 0);",
    replace: "return 0;",
  },
  {
    name: "nothing-reserved-for-a-file",
    file: `${context}/message-files.ts`,
    find: "return filesOf(message).reduce((sum, file) => sum + reserveFile(file), 0);",
    replace: "return 0;",
  },
  {
    name: "request-of-any-size",
    file: `${context}/message-files.ts`,
    find: "if (fileBytes <= REQUEST_FILE_BYTES_MAX) return undefined;",
    replace: "if (fileBytes >= 0) return undefined;",
  },
  {
    name: "untaken-file-sent",
    file: `${actions}/model-files.ts`,
    find: ".some((message) => filesOf(message).some(({ mediaType }) => !takesType(takes, mediaType)));",
    replace: ".some(() => false);",
  },
  {
    name: "untaken-file-sent-to-another",
    file: `${actions}/route-model.ts`,
    find: "at > position && isFit(model)",
    replace: "at > position && model !== undefined",
  },
  {
    name: "untaken-file-sent-again",
    file: `${actions}/model-files.ts`,
    find: "if (takes === undefined) return messages;",
    replace: "if (messages.length > 0) return messages;",
  },
];

export const fileMutants: readonly Mutant[] = [...shownMutants, ...ownerMutants, ...limitMutants];
