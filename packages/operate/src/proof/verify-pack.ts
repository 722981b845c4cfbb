import { type VerifyOptions, verifyBundle } from "@turnseal/protocol/receipts";
import { readPack } from "./pack-folder.ts";
import { addAllowed, addUnsealed, type Verdict } from "./verify-document.ts";

/** Verifies an evidence pack: first that its files belong together, and then what they say. */
export async function verifyPack(folder: string, trust: VerifyOptions): Promise<Verdict> {
  const read = await readPack(folder);
  if (read.kind === "parsed") {
    const { packed } = read;
    return addUnsealed(addAllowed(await verifyBundle(packed, trust), packed.events), packed);
  }
  const nothing = { run: "", events: 0, receipts: 0, sealedUntil: 0, firstWrong: null };
  const findings = [{ code: "BUNDLE_MALFORMED", message: read.message }] as const;
  return { kind: "run", verdict: "invalid", valid: false, ...nothing, findings };
}
