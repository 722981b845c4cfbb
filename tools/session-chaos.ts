/**
 * `npm run chaos-client -- [--sessions 1000] [--seed 1] [--kill 15000] [--width 16] [--json]`:
 * holds sessions with the real server through a network that breaks, while the server is killed
 * again and again, and compares what every tab shows with what the log says. Exits with 1 when they
 * differ, or when a client that is wrong would not have been noticed.
 */
import { parseArgs } from "node:util";
import { runSessionChaos } from "./session-chaos/run-session-chaos.ts";
import { renderReport, summarize } from "./session-chaos/session-table.ts";

const { values } = parseArgs({
  options: {
    sessions: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    kill: { type: "string", default: "15000" },
    width: { type: "string", default: "16" },
    json: { type: "boolean", default: false },
  },
});
const [sessions = 0, seed = 0, killMs = 0, width = 0] = [
  ...[values.sessions, values.seed, values.kill, values.width],
].map(Number);
if (![sessions, seed, killMs, width].every((value) => Number.isSafeInteger(value) && value > 0)) {
  console.error("usage: npm run chaos-client -- [--sessions N] [--seed N] [--kill MS] [--json]");
  process.exit(64);
}
const report = await runSessionChaos({ sessions, seed, killMs, width });
const summary = summarize(report, sessions);
for (const line of renderReport(report)) console.log(line);
for (const problem of report.problems.slice(0, 20)) console.log(problem);
if (values.json) console.log(JSON.stringify(summary));
process.exitCode = summary.pass ? 0 : 1;
