import { signerFromEnvironment } from "@turnseal/adapters/keys";
import { openFileKeys, readPublicKeys, type StoreFolder } from "@turnseal/runtime/folder";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type StoreOptions, withFolder } from "../with-run.ts";
import { renderKeyList } from "./render-keys.ts";

export interface KeysOptions extends StoreOptions {
  readonly json?: boolean;
}

/** `turnseal keys`: the keys that sign receipts. Only public halves are ever shown. */
export async function runKeys(
  action: string,
  options: KeysOptions,
  { terminal, environment }: Pick<Surroundings, "terminal" | "environment">,
): Promise<ExitCode> {
  switch (action) {
    case "list":
      return withFolder(options, terminal, (folder) => listKeys(folder, options, terminal));
    case "rotate":
      // A key of the folder's own would be made, and would sign nothing.
      if ((await signerFromEnvironment(environment)) !== undefined)
        return reportUsage(
          terminal,
          "the signing key is set by the environment: rotate it there",
          "set TURNSEAL_SIGN_KEY_FILE to the new key for every worker; keep the old public key",
        );
      return withFolder(options, terminal, (folder) => rotateKeys(folder, options, terminal));
    case "export":
      // A verifier takes it as it is.
      return withFolder(options, terminal, (folder) => writeKeys(folder, terminal));
    default: {
      const message = `${action} is not one of list, rotate or export`;
      return reportUsage(terminal, message, "turnseal keys list");
    }
  }
}

async function listKeys(
  folder: StoreFolder,
  { json }: KeysOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (json) return writeKeys(folder, terminal);
  renderKeyList(await readPublicKeys(folder.path)).forEach(terminal.out.writeLine);
  return EXIT_CODES.done;
}

async function rotateKeys(
  { path }: StoreFolder,
  { json }: KeysOptions,
  { out }: Terminal,
): Promise<ExitCode> {
  const key = await openFileKeys(path).rotate();
  if (json) out.writeText(`${renderJson(key, 2)}\n`);
  else {
    out.writeLine(line(toned("good", "✓ "), `${key.keyId} signs from now on`));
    const next = "turnseal keys export  (the previous key stays valid for a while)";
    out.writeLine(line("  ", toned("faint", "next: "), next));
  }
  return EXIT_CODES.done;
}

async function writeKeys({ path }: StoreFolder, { out }: Terminal): Promise<ExitCode> {
  out.writeText(`${renderJson({ keys: await readPublicKeys(path) }, 2)}\n`);
  return EXIT_CODES.done;
}
