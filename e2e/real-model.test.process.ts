/**
 * Carries one run until it stops or is killed, and says on its output what happens: each tool and
 * each piece of text. Arguments: the folder, the address of the model, the run.
 */
import { memoryLiveBus } from "@turnseal/ports";
import { openWeatherDesk } from "./weather-desk.ts";

const [folder = "", url = "", run = ""] = process.argv.slice(2);
const live = memoryLiveBus();
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
live.watch(run, { delta: ({ kind, text }) => say({ kind, text }), moved: () => {} });
const desk = await openWeatherDesk({
  folder,
  url,
  live,
  onTool: async (tool) => {
    say({ tool });
    // Time for the test to kill this process here.
    if (process.env["TURNSEAL_TEST_SLOW_TOOL"] !== undefined) await new Promise(() => {});
  },
});
// A promise that never settles does not keep a process alive.
const alive = setInterval(() => {}, 1_000);
await desk.host.drive(run);
clearInterval(alive);
desk.stores.close();
