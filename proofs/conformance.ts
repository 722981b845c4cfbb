/** `npm run conformance`: the suite against this runtime, or against the command after `--`. */
import { fileURLToPath } from "node:url";
import { runCommand } from "@turnseal/conformance/command";

const program = fileURLToPath(new URL("conformance/program.ts", import.meta.url));
const command = [process.execPath, "--conditions=turnseal-source", program];
process.exitCode = await runCommand(process.argv.slice(2), { ...process, command });
