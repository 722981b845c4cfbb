import { wholeNumber } from "../tools/command/options.ts";
import { prove } from "./kit/prove.ts";
import { runSessionChaos } from "./session-chaos/run-session-chaos.ts";
import { renderReport, summarize } from "./session-chaos/session-table.ts";

await prove(
  {
    name: "proof session-chaos",
    about: [
      "Holds sessions with the real server through a network that breaks, while the server is killed",
      "again and again, and compares what every tab shows with what the log says. Exits with 1 when",
      "they differ, or when a client that is wrong would not have been noticed.",
    ],
    lasts: "a minute or two",
    options: {
      sessions: wholeNumber({
        takes: "count",
        says: "sessions to hold",
        default: 1_000,
        atLeast: 1,
      }),
      seed: wholeNumber({
        takes: "number",
        says: "what people and the network do",
        default: 1,
        atLeast: 1,
      }),
      kill: wholeNumber({
        takes: "ms",
        says: "between two kills of the server, at most",
        default: 15_000,
        atLeast: 1,
      }),
      width: wholeNumber({
        takes: "count",
        says: "sessions at the same time",
        default: 16,
        atLeast: 1,
      }),
    },
  },
  async ({ sessions, seed, kill: killMs, width }, say) => {
    const report = await runSessionChaos({ sessions, seed, killMs, width, say });
    const { problems } = report;
    return { ...summarize(report, sessions), lines: renderReport(report), problems };
  },
);
