import { MEDIANS_WANTED, type Report } from "./summary.ts";

/** The table that a person reads. */
export function renderReport({ seeds, medians, steps, counts, missing, faults }: Report): string {
  const { turns, workers, crashes } = medians;
  const lines = [
    `${seeds} seeds, ${steps} steps; median ${turns} turns, ${workers} workers, ${crashes} crashes`,
    ...Object.entries(counts).map(([what, count]) => `${String(count).padStart(9)}  ${what}`),
    ...missing.map((what) => `        0  ${what} (must occur)`),
    `${faults.length} seeds with a broken promise`,
    ...faults.map(({ seed, fault }) => `  seed ${seed}: ${fault}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** The last line, for programs. */
export function renderJson({ isSound, ...figures }: Report): string {
  const goals = { faults: 0, missing: 0, medians: MEDIANS_WANTED };
  return `${JSON.stringify({ figures, goals, pass: isSound })}\n`;
}
