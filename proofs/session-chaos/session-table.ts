import type { ChaosFigures, ChaosReport } from "./run-session-chaos.ts";

/** The wrong clients that must be noticed, each at least once in a hundred sessions. */
const MUTANTS = ["drop", "double", "reorder", "careless pieces"] as const;
/** The faults that must have happened for the rest to mean anything. */
const HARDSHIPS = [
  ...["cuts", "duplicates", "reorders", "lostAnswers", "doubleRequests", "foreignPlaces"],
  ...["twoTabs", "refreshes", "refreshesWhileAsked", "sleeps", "contests", "restarts"],
] as const;

const titles: Readonly<Record<keyof ChaosFigures, string>> = {
  sessions: "sessions",
  equal: "sessions whose tabs show what the log says",
  wrong: "sessions whose tabs show something else",
  envelopes: "events in their logs",
  twoTabs: "sessions in two tabs",
  restarts: "kills of server and worker",
  cuts: "connections cut within a frame",
  duplicates: "frames sent twice",
  reorders: "frames sent in another order",
  lostAnswers: "answers to commands that were lost",
  doubleRequests: "commands sent twice by the network",
  foreignPlaces: "streams asked for after an event of another run",
  refreshes: "pages loaded again while a text came",
  refreshesWhileAsked: "pages loaded again while somebody was asked",
  sleeps: "tabs that slept",
  contests: "approved and rejected at once",
  aborts: "generations stopped by a person",
  payments: "payments shown as made",
  paymentsAstray: "payments made and not shown, or shown and not made",
};

export function renderReport({ figures, caught }: ChaosReport): string[] {
  const rows = [
    ...(Object.keys(titles) as (keyof ChaosFigures)[]).map((name) => [titles[name], figures[name]]),
    ...["true", ...MUTANTS].map((name) => [
      `client "${name}" noticed as wrong in`,
      caught[name] ?? 0,
    ]),
  ] as const;
  const width = Math.max(...rows.map(([title]) => String(title).length));
  return rows.map(
    ([title, count]) => `${String(title).padEnd(width)}  ${String(count).padStart(7)}`,
  );
}

/** One object of figures, and what they must be. */
export function summarize({ figures, caught }: ChaosReport, sessions: number) {
  const least = Object.fromEntries(MUTANTS.map((name) => [name, Math.ceil(sessions / 100)]));
  const goals = { equal: sessions, wrong: 0, paymentsAstray: 0, true: 0, ...least };
  const isHard = HARDSHIPS.every((name) => figures[name as keyof ChaosFigures] > 0);
  const pass =
    figures.equal === sessions &&
    figures.wrong === 0 &&
    figures.paymentsAstray === 0 &&
    (caught["true"] ?? 0) === 0 &&
    isHard &&
    MUTANTS.every((name) => (caught[name] ?? 0) >= (least[name] ?? 1));
  return { figures: { ...figures, ...caught }, goals, pass };
}
