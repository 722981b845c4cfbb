import { copyFiles, createRunFiles } from "@turnseal/kernel";
import type { JsonValue } from "@turnseal/protocol";
import { listFiles } from "@turnseal/protocol/files";
import { type FilePorts, openRunFiles } from "./open-run-files.ts";

interface Runs {
  readonly from: string;
  readonly to: string;
}

/**
 * A value of one run for another, with its files. Both are found in the same stores, which are
 * those of one tenant; what is not there is no file in the other, either.
 */
export async function copyRunFiles(
  value: JsonValue,
  { from, to }: Runs,
  ports: FilePorts,
): Promise<JsonValue> {
  if (listFiles(value, 1).length === 0) return value;
  const { blobs } = ports.stores;
  const key = await blobs.readKey(from);
  const files = await openRunFiles(to, ports);
  if (key === undefined || files === undefined) return value;
  return copyFiles(value, { from: createRunFiles(from, key, blobs), to: files });
}
