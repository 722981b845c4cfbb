import { writeFile } from "node:fs/promises";
import type { LoopEvent } from "@turnseal/protocol";
import type { PublicKey } from "@turnseal/protocol/receipts";
import { renderBundle } from "@turnseal/runtime/folder";
import {
  type ExportOptions,
  isPack,
  listUnsealedArtifacts,
  readPack,
  verifyExport,
} from "@turnseal/runtime/proof";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { renderExport } from "../runs/render-export.ts";
import { line, toned } from "../terminal/line.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Terminal } from "../terminal/screen.ts";
import { shortId } from "../terminal/short-id.ts";
import { renderUnsealedArtifacts } from "./render-verdict.ts";

export interface ImportOptions extends ExportOptions {
  readonly out?: string;
}

const NEXT = "turnseal export <run> --as evidence";

/** `turnseal import`: an evidence pack as one file again, byte for byte; only one that verifies. */
export async function runImport(
  folder: string,
  options: ImportOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (!isPack(folder)) return reportUsage(terminal, `${folder} is not an evidence pack`, NEXT);
  const read = await readPack(folder);
  if (read.kind === "refused") {
    terminal.err.writeLine(line(toned("bad", "error: "), `${folder}: ${read.message}`));
    return EXIT_CODES.unverified;
  }
  // What is written is what was verified: the folder is read once.
  const exported = await verifyExport(folder, read.packed, options);
  if (exported.kind === "refused") return reportUsage(terminal, exported.message, exported.next);
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
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    const reason = code === "EEXIST" ? "exists already" : `cannot be written (${code})`;
    return reportUsage(
      terminal,
      `${file} ${reason}`,
      "turnseal import <pack> --out <another file>",
    );
  }
  terminal.out.writeLine(line(toned("good", "✓ "), `${run} is in ${file}`));
  const unsealed = listUnsealedArtifacts(read.packed, verdict.sealedUntil);
  renderUnsealedArtifacts(unsealed).forEach(terminal.err.writeLine);
  terminal.out.writeLine(line("  ", toned("faint", "next: "), `turnseal show ${file}`));
  return EXIT_CODES.done;
}
