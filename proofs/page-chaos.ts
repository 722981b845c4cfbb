import { wholeNumber } from "../tools/command/options.ts";
import { isMet, prove } from "./kit/prove.ts";
import { runPageChaos } from "./page-chaos/run-page-chaos.ts";

await prove(
  {
    name: "proof page-chaos",
    about: [
      "Holds sessions in Chromium with the page of useChat: pages are loaded again, connections are",
      "cut, approvals are decided in two tabs, messages that do not fit are sent, the model is away",
      "now and then, and the server is killed again and again: it comes back with an edited prompt.",
      "Compares what each page shows in the end with the log, and exits with 1 when they differ.",
    ],
    needs: "Chromium",
    lasts: "some minutes",
    options: {
      sessions: wholeNumber({
        takes: "count",
        says: "sessions to hold",
        default: 200,
        atLeast: 1,
      }),
      seed: wholeNumber({ takes: "number", says: "what people do", default: 1, atLeast: 1 }),
      kill: wholeNumber({
        takes: "ms",
        says: "between two kills of the server, at most; 0 for none",
        default: 30_000,
        atLeast: 0,
      }),
      away: wholeNumber({
        takes: "ms",
        says: "between two outages of the model, at most; 0 for none",
        default: 20_000,
        atLeast: 0,
      }),
      width: wholeNumber({
        takes: "count",
        says: "sessions at the same time",
        default: 4,
        atLeast: 1,
      }),
    },
  },
  async ({ sessions, seed, kill: killMs, away: awayMs, width }, say) => {
    const report = await runPageChaos({ sessions, seed, killMs, awayMs, width, say });
    const { figures, problems } = report;
    const { reloads, cuts, twoTabs, misfits, restarts, outages } = figures;
    const isKilled = (killMs === 0 || restarts > 0) && (awayMs === 0 || outages > 0);
    const isHard = isKilled && [reloads, cuts, twoTabs, misfits].every((count) => count > 0);
    const goals = { equal: sessions };
    return { figures, goals, pass: isHard && isMet(figures, goals), problems };
  },
);
