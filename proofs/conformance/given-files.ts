/** Files in requests of the conformance suite, and in its answers. */
import type { FilesByPlace, GivenFile } from "@turnseal/conformance/program";
import type { FilesToAttach } from "@turnseal/host";
import type { FileToTake, ModelRequest } from "@turnseal/ports";
import { type ModelMessage, sha256Hex } from "@turnseal/protocol";
import type { FileRef } from "@turnseal/protocol/files";

const SPACE = 0x20;

export function toFileToTake({ base64, mediaType, name, size = 0 }: GivenFile): FileToTake {
  const begin = Buffer.from(base64, "base64");
  const bytes = new Uint8Array(Math.max(size, begin.length)).fill(SPACE);
  bytes.set(begin);
  return { bytes, mediaType, ...(name === undefined ? {} : { name }) };
}

/** The attachments of an input or a payload. */
export function attachmentsOf(files: FilesByPlace | undefined): { files?: FilesToAttach } {
  if (files === undefined) return {};
  const places = Object.entries(files).map(([place, given]) => [
    place,
    Array.isArray(given) ? given.map(toFileToTake) : toFileToTake(given as GivenFile),
  ]);
  return { files: Object.fromEntries(places) };
}

/** The messages of a request, with the digest of the bytes that came with each file. */
export function describeMessages({
  messages,
  files: sent,
}: Pick<ModelRequest, "messages" | "files">): readonly object[] {
  const withDigest = <Part extends FileRef>(part: Part): Part => {
    const bytes = sent?.get(part.file);
    return bytes === undefined ? part : { ...part, sha256: sha256Hex(bytes) };
  };
  return messages.map((message: ModelMessage) => {
    if (message.role === "system") return message;
    if (message.role === "assistant") {
      const content = message.content.map((part) =>
        part.kind === "file" ? withDigest(part) : part,
      );
      return { ...message, content };
    }
    const { files } = message;
    return files === undefined ? message : { ...message, files: files.map(withDigest) };
  });
}
