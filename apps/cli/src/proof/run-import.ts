import {
  type ExportOptions,
  isPack,
  listUnsealedArtifacts,
  readPack,
  verifyExport,
} from "@turnseal/operate/proof";
import type { LoopEvent } from "@turnseal/protocol";
import type { PublicKey } from "@turnseal/protocol/receipts";
import { renderBundle } from "@turnseal/runtime/folder";
import { line, renderNext, shortId, toned } from "@turnseal/terminal";
import { renderUnsealedArtifacts } from "@turnseal/terminal/operate";
import { renderExport } from "@turnseal/terminal/runs";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { accept, RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { writeNewFile } from "../terminal/write-new-file.ts";

export interface ImportOptions extends ExportOptions {
  readonly out?: string;
}

const NEXT = "turnseal export <run> --as evidence";

/** `turnseal import`: an evidence pack as one file again, byte for byte; it must verify. */
export async function runImport(
  folder: string,
  options: ImportOptions,
  { terminal }: Surroundings,
): Promise<ExitCode> {
  if (!isPack(folder)) throw new RefusalError(`${folder} is not an evidence pack`, NEXT);
  const read = await readPack(folder);
  if (read.kind === "refused") {
    terminal.err.writeLine(line(toned("bad", "error: "), `${folder}: ${read.message}`));
    return EXIT_CODES.unverified;
  }
  // The written bytes are the verified ones: the folder is read once.
  const exported = accept(await verifyExport(folder, read.packed, options));
  const { verdict, isOpenExpected } = exported.exported;
  if (!verdict.valid && !(verdict.verdict === "open" && isOpenExpected)) {
    renderExport(exported.exported).forEach(terminal.err.writeLine);
    return EXIT_CODES.unverified;
  }
  const { run, events, receipts, keys, content } = read.packed;
  // They have just been verified.
  const collected = { run, events: events as readonly LoopEvent[], receipts };
  const text = renderBundle(collected, keys as unknown as readonly PublicKey[], content);
  const file = options.out ?? `run-${shortId(run)}.json`;
  await writeNewFile(file, text, "turnseal import <pack> --out <another file>");
  terminal.out.writeLine(line(toned("good", "✓ "), `${run} is in ${file}`));
  const unsealed = listUnsealedArtifacts(read.packed, verdict.sealedUntil);
  renderUnsealedArtifacts(unsealed).forEach(terminal.err.writeLine);
  terminal.out.writeLine(renderNext(`turnseal show ${file}`));
  return EXIT_CODES.done;
}
