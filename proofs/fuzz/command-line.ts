/**
 * The insides of the command, which its package does not export: they are fuzzed in this process,
 * since a process for each case would be too slow.
 */

export { createScreen } from "@turnseal/terminal";

import type * as exitModule from "../../apps/cli/src/exit-codes.ts";
import type * as programModule from "../../apps/cli/src/program.ts";

const source = new URL("../../apps/cli/src/", import.meta.url);
const load = <Module>(path: string): Promise<Module> => import(new URL(path, source).href);

export const { runProgram } = await load<typeof programModule>("program.ts");
export const { EXIT_CODES } = await load<typeof exitModule>("exit-codes.ts");
