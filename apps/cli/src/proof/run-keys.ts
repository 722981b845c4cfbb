import { signerFromEnvironment } from "@turnseal/adapters/keys";
import {
  openFileKeys,
  readPublicKeys,
  readStoreTrust,
  type StoreFolder,
} from "@turnseal/runtime/folder";
import { line, renderNext, type Terminal, toned, writeJson } from "@turnseal/terminal";
import { renderKeyList, renderNotedKey } from "@turnseal/terminal/operate";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type StoreOptions, withFolder } from "../with-run.ts";
import { type KeyBookCommandOptions, runKeyBook } from "./run-key-book.ts";

export interface KeysOptions extends StoreOptions, KeyBookCommandOptions {
  /** The tenant, where the command line itself names it. */
  readonly named?: string | undefined;
}

/** `turnseal keys`: the keys that sign receipts. Only public halves are ever shown. */
export async function runKeys(
  [action, key]: readonly [string, string | undefined],
  options: KeysOptions,
  { terminal, environment }: Pick<Surroundings, "terminal" | "environment">,
): Promise<ExitCode> {
  const { tenant: _, named, ...rest } = options;
  const asked = { ...rest, ...(named === undefined ? {} : { tenant: named }) };
  switch (action) {
    case "trust":
    case "distrust":
      return runKeyBook(action, key, { options: asked, terminal });
    case "list":
      // A database without an engine belongs to an operator: no run is driven from here.
      if (options.host === undefined && options.postgres !== undefined)
        return runKeyBook(action, key, { options: asked, terminal });
      return withFolder(options, (folder) => listKeys(folder, options, terminal));
    case "rotate":
      // A key of the folder's own would be made, and would sign nothing.
      if ((await signerFromEnvironment(environment)) !== undefined)
        throw new RefusalError(
          "the signing key is set by the environment: rotate it there",
          "set TURNSEAL_SIGN_KEY_FILE to the new key for every worker; keep the old public key",
        );
      return withFolder(options, (folder) => rotateKeys(folder, options, terminal));
    case "export":
      // A verifier takes it as it is.
      return withFolder(options, (folder) => writeKeys(folder, terminal));
    default: {
      const message = `${action} is not one of list, rotate, export, trust or distrust`;
      throw new RefusalError(message, "turnseal keys list");
    }
  }
}

async function listKeys(
  folder: StoreFolder,
  { json }: KeysOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { out } = terminal;
  const noted = await folder.engine?.listKeys();
  if (json && noted === undefined) return writeKeys(folder, terminal);
  if (json) {
    const { keys } = await readStoreTrust(folder);
    writeJson(out, { keys, noted }, 2);
  } else {
    renderKeyList(await readPublicKeys(folder.path)).forEach(out.writeLine);
    (noted ?? []).map(renderNotedKey).forEach(out.writeLine);
  }
  return EXIT_CODES.done;
}

async function rotateKeys(
  { path }: StoreFolder,
  { json }: KeysOptions,
  { out }: Terminal,
): Promise<ExitCode> {
  const key = await openFileKeys(path).rotate();
  if (json) writeJson(out, key, 2);
  else {
    out.writeLine(line(toned("good", "✓ "), `${key.keyId} signs from now on`));
    const next = "turnseal keys export  (the previous key stays valid for a while)";
    out.writeLine(renderNext(next));
  }
  return EXIT_CODES.done;
}

async function writeKeys(folder: StoreFolder, { out }: Terminal): Promise<ExitCode> {
  const { keys } = await readStoreTrust(folder);
  writeJson(out, { keys }, 2);
  return EXIT_CODES.done;
}
