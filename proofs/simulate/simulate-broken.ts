/** Runs a simulation in a process of its own, with a fault in the runtime or without. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { GuardMutant } from "./guard-mutant.ts";
import type { Report } from "./summary.ts";

const loader = new URL("load-mutant.ts", import.meta.url);

interface Simulated {
  /** The file in `proofs`. */
  readonly program: "simulate.ts" | "simulate-flows.ts";
  readonly seeds: number;
  readonly mutant?: GuardMutant;
}

/** Up to the first seed that fails. */
export function simulateBroken({ program, seeds, mutant }: Simulated): Promise<Report> {
  const hooks = mutant === undefined ? [] : ["--import", `${loader.href}?mutant=${mutant.name}`];
  const path = fileURLToPath(new URL(`../${program}`, import.meta.url));
  const flags = ["--conditions=turnseal-source", ...hooks, path];
  const from = String(mutant?.from ?? 1);
  const options = ["--bail", "--json", "--seeds", String(seeds), "--from", from];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...flags, ...options], (error, stdout) => {
      // A simulation that found something says so with its exit code, and prints its report all the
      // same.
      const last = stdout.trim().split("\n").at(-1) ?? "";
      if (last.startsWith("{")) resolve(JSON.parse(last).figures as Report);
      else reject(error ?? new Error("the simulation printed no report"));
    });
  });
}
