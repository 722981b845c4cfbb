/** Two processes that take leases of one store; one of them can be killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ValueStateLayer } from "@turnseal/ports";
import type { RunLeasesSubject } from "@turnseal/ports/contracts";
import { readProcessStart } from "./read-process-start.ts";
import { readOwnProcess, valueLeases } from "./value-leases.ts";

/** The first process is a child that only lives: what it takes is taken here in its name. */
export async function createLeases(open: () => ValueStateLayer): Promise<RunLeasesSubject> {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  await once(child, "spawn");
  child.unref();
  const pid = child.pid ?? 0;
  const owner = { ...readOwnProcess(), pid, processStart: readProcessStart(pid) ?? "" };
  return {
    leases: valueLeases({ values: open(), owner }),
    other: valueLeases({ values: open() }),
    kill: async () => {
      if (child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
}
