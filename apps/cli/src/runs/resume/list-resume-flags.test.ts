import { expect, test } from "vitest";
import { listResumeFlags } from "./list-resume-flags.ts";

test("a run in the background is resumed with the files that were named", () => {
  const files = { policy: "rules.toml", shadow: "trial.toml", prices: "prices.json" };
  expect(listResumeFlags({ from: ["a.ts", "b.ts"], ...files, takeOver: true })).toEqual([
    ...["--from", "a.ts", "b.ts", "--policy", "rules.toml", "--shadow", "trial.toml"],
    ...["--prices", "prices.json", "--take-over"],
  ]);
  expect(listResumeFlags({ from: [] })).toEqual([]);
});
