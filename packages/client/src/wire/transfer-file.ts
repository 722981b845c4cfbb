/** Files of a run, to the server and back. */
import { type FileRef, isFileRef } from "@turnseal/protocol/files";
import { requestRun, type ServerAddress } from "./server-address.ts";
import { readRefusal, type ServerRefusal } from "./server-refusal.ts";

/** Milliseconds that one file may take. */
export const FILE_MS_MAX = 120_000;

export type UploadAnswer =
  | { readonly kind: "accepted"; readonly file: FileRef }
  | { readonly kind: "refused"; readonly refusal: ServerRefusal }
  /** The same file can be sent again: it is stored once. */
  | { readonly kind: "unreachable" };

export type DownloadAnswer =
  | { readonly kind: "read"; readonly blob: Blob }
  | { readonly kind: "refused"; readonly refusal: ServerRefusal }
  | { readonly kind: "unreachable" };

/** A file to give: its type is that of its bytes, or the server refuses it. */
export interface FileToUpload {
  readonly blob: Blob;
  readonly name?: string;
}

export async function uploadFile(
  address: ServerAddress,
  { blob, name }: FileToUpload,
): Promise<UploadAnswer> {
  const path = name === undefined ? "files" : `files?name=${encodeURIComponent(name)}`;
  const headers = { "content-type": blob.type };
  const response = await request(address, path, { method: "POST", body: blob, headers });
  if (response === undefined) return { kind: "unreachable" };
  if (!response.ok) return { kind: "refused", refusal: await readRefusal(response) };
  const file: unknown = await response.json().catch(() => undefined);
  return isFileRef(file) ? { kind: "accepted", file } : { kind: "unreachable" };
}

export async function downloadFile(
  address: ServerAddress,
  { file }: Pick<FileRef, "file">,
): Promise<DownloadAnswer> {
  const response = await request(address, `files/${encodeURIComponent(file)}`, {});
  if (response === undefined) return { kind: "unreachable" };
  if (!response.ok) return { kind: "refused", refusal: await readRefusal(response) };
  const blob = await response.blob().catch(() => undefined);
  return blob === undefined ? { kind: "unreachable" } : { kind: "read", blob };
}

function request(
  address: ServerAddress,
  path: string,
  init: RequestInit,
): Promise<Response | undefined> {
  const signal = AbortSignal.timeout(FILE_MS_MAX);
  return requestRun(address, { path, init: { ...init, signal } }).catch(() => undefined);
}
