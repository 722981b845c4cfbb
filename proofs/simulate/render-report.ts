import type { Report, Wanted } from "./summary.ts";

/** The table that a person reads. */
export function renderReport({ seeds, medians, steps, counts, missing, faults }: Report): string {
  const figures = Object.entries(medians).map(([name, figure]) => `${figure} ${name}`);
  const lines = [
    `${seeds} seeds, ${steps} steps; median ${figures.join(", ")}`,
    ...Object.entries(counts).map(([what, count]) => `${String(count).padStart(9)}  ${what}`),
    ...missing.map((what) => `        0  ${what} (must occur)`),
    `${faults.length} seeds with a broken promise`,
    ...faults.map(({ seed, fault }) => `  seed ${seed}: ${fault}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** The last line, for programs. */
export function renderJson({ isSound, ...figures }: Report, { medians }: Wanted<string>): string {
  const goals = { faults: 0, missing: 0, medians };
  return `${JSON.stringify({ figures, goals, pass: isSound })}\n`;
}
