import { json, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { renderTable } from "../tools/render-table.ts";
import { isKept, runBus } from "./bus/run-bus.ts";

const options = readOptions({
  name: "npm run proof bus",
  about: [
    "Events for a group of consumers on a Redis server of its own. Consumers are killed with events",
    "in hand, and the server is killed once. No event may be lost, and none may come again that was",
    "acknowledged. Exits with 1 when one does.",
  ],
  needs: "redis-server",
  lasts: "a minute for 2,000 events",
  options: {
    events: wholeNumber({ takes: "events", says: "in all", default: 2_000, atLeast: 10 }),
    consumers: wholeNumber({ takes: "consumers", says: "of the group", default: 4, atLeast: 1 }),
    kills: wholeNumber({ takes: "times", says: "a consumer is killed", default: 20, atLeast: 1 }),
    json,
  },
});

const { events, consumers, kills } = options;
const figures = await runBus({ events, consumers, kills, say: createProgress() });
const pass = isKept(figures);
const rows = Object.entries(figures).map(([name, value]) => [name, String(value)]);
console.log(renderTable(["figure", "value"], rows));
if (options.json) console.log(JSON.stringify({ figures, pass }));
process.exitCode = pass ? 0 : 1;
