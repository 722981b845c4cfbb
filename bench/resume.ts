/**
 * How long it takes to resume: from the start of a process to the moment when the run acts again.
 *
 * The run was cut off inside its first model call, or inside its hundredth: there three turns are
 * closed, and the open one has recorded 24 rounds. Each measurement has a copy of the same file,
 * since to resume is to append.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "./median.ts";
import type { Figure } from "./report.ts";
import { CALLS } from "./sample-conversation.ts";

const ROUNDS = 9;
const RATIO_GOAL = 1.5;
const worker = fileURLToPath(new URL("conversation-worker.ts", import.meta.url));

interface ResumeTime {
  readonly sinceStartMs: number;
  readonly sinceLoadMs: number;
}

export function measureResume(folder: string): Figure[] {
  const first = join(folder, "first.db");
  const last = join(folder, "last.db");
  runWorker(first, 1);
  runWorker(last, CALLS);
  const times: { readonly first: ResumeTime; readonly last: ResumeTime }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    times.push({ first: resumeCopy(first, round), last: resumeCopy(last, round) });
  }
  const at = (place: "first" | "last", field: keyof ResumeTime): number =>
    median(times.map((time) => time[place][field]));
  const describe = (place: "first" | "last"): Figure["columns"] => ({
    ms: at(place, "sinceStartMs"),
    "without loading code": at(place, "sinceLoadMs"),
  });
  return [
    { name: "resume at call 1", columns: describe("first") },
    { name: `resume at call ${CALLS}`, columns: describe("last") },
    {
      name: `resume at call ${CALLS} against 1`,
      columns: {
        ratio: median(times.map((time) => time.last.sinceStartMs / time.first.sinceStartMs)),
      },
      goal: { column: "ratio", atMost: RATIO_GOAL },
    },
  ];
}

function resumeCopy(file: string, round: number): ResumeTime {
  const copy = `${file}.${round}`;
  for (const suffix of ["", "-wal"]) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`);
  return runWorker(copy, 1);
}

/** Runs a worker until it kills itself at that model call, and reads how long it took. */
function runWorker(file: string, dieAt: number): ResumeTime {
  const hooks = ["--conditions=turnseal-source"];
  const { stdout, stderr } = spawnSync(process.execPath, [...hooks, worker, file, String(dieAt)], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(`the worker did not get to call ${dieAt}: ${stderr}`);
  return JSON.parse(stdout) as ResumeTime;
}
