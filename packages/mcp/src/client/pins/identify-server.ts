/** The identity of a server: its command and the files that it names, or its address. */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { sha256Hex } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import { isProgram, type McpServerConfig } from "../config/server-config.ts";
import { PROGRAM_BYTES_MAX } from "../limits.ts";
import type { ServerIdentity } from "./pin.ts";

/** Files of code by their names: other files that a command names are its data, and may change. */
const CODE = /\.(c?js|mjs|c?ts|mts|py|rb|sh|php|pl|lua|jar|wasm)$/;

/**
 * Only the program and the files of code that the command names are read. They can load others,
 * which no digest here covers. Throws `notDone` for a file that is too large for a digest.
 */
export function identifyServer(config: McpServerConfig): ServerIdentity {
  if (!isProgram(config)) return { kind: "address", url: new URL(config.url).href };
  const { command } = config;
  const files = listCode(command).flatMap((part) => {
    const digest = digestFile(resolve(part));
    return digest === undefined ? [] : [[part, digest] as const];
  });
  return { kind: "program", command, files: Object.fromEntries(files) };
}

/** The parts of a command that name its program and its code by a path. */
export function listCode(command: readonly string[]): string[] {
  return command.filter((part, index) => /^\.?\//.test(part) && (index === 0 || CODE.test(part)));
}

function digestFile(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) return undefined;
  if (found.size > PROGRAM_BYTES_MAX)
    throw notDone(
      `the file ${path} of the server has more than ${PROGRAM_BYTES_MAX} bytes, so that no pin ` +
        "covers it: name a smaller file in its command, such as a script that starts it",
    );
  return sha256Hex(readFileSync(path));
}
