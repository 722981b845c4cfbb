import { normalize, sep } from "node:path";
import { readText } from "@turnseal/documents";
import {
  checkGuidanceRef,
  GUIDANCE_BYTES_MAX,
  type GuidanceDocument,
  pinGuidance,
} from "@turnseal/protocol";

export type ReadGuidance =
  | { readonly kind: "read"; readonly documents: readonly GuidanceDocument[] }
  | { readonly kind: "unusable"; readonly message: string };

/** Documents from files below the working folder; a reference is the path to it. */
export async function readGuidance(files: readonly string[]): Promise<ReadGuidance> {
  const documents: GuidanceDocument[] = [];
  for (const file of files) {
    const ref = normalize(file).split(sep).join("/");
    const refusal = checkGuidanceRef(ref);
    if (refusal !== undefined) return unusable(file, refusal);
    const read = await readText(file, GUIDANCE_BYTES_MAX);
    if (read.kind === "refused") return unusable(file, read.message);
    documents.push({ ref, text: read.text });
  }
  const pinning = pinGuidance(documents);
  if (pinning.kind === "pinned") return { kind: "read", documents };
  const { refusal, index } = pinning;
  return unusable(index === undefined ? "--guidance" : (files[index] ?? ""), refusal);
}

function unusable(file: string, why: string): ReadGuidance {
  return { kind: "unusable", message: `${file} cannot be guidance: ${why}` };
}
