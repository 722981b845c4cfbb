/**
 * One command after the other on this terminal, in one process. Between two of them it waits until
 * somebody has looked at the screen and presses Enter.
 *
 * node draw-screens.ts <folder of what is shown> <folder of runs>
 */
import { once } from "node:events";
import { createScreen, runProgram } from "../fuzz/command-line.ts";
import { listCommands, SHOWN } from "./commands.ts";

const [root = "", store = ""] = process.argv.slice(2);
const { stdin, stdout, stderr, env } = process;
const environment = { NO_COLOR: "1", TURNSEAL_ROLES: "finance", TERM: env["TERM"] };

for (const command of listCommands(root)) {
  await runProgram([...command, "--store", store], {
    ...{ environment, stdin, stdout, stderr },
    terminal: { out: createScreen(stdout, environment), err: createScreen(stderr, environment) },
  });
  stdout.write(`${SHOWN}\n`);
  await once(stdin.resume(), "data");
  // The screen, and what has left it at the top.
  stdout.write("\u001b[H\u001b[J\u001b[3J");
}
process.exit();
