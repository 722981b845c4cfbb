/**
 * What searches of an agent cost over 10,000 files against `rg` and `git grep`, and the start of a
 * sandbox against bubblewrap alone. A search is a whole call: a run of one turn, which is sealed.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderRoots } from "@turnseal/adapters/fs";
import { createLocalHost } from "@turnseal/host";
import { memoryStores, systemClock } from "@turnseal/ports";
import type { JsonObject } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { bubblewrap, fileTools, grantTerms } from "@turnseal/tools";
import { median } from "./median.ts";
import type { Benchmark, Figure } from "./report.ts";
import { createSigner } from "./sample-turn.ts";

const FOLDERS = 500;
const FILES_EACH = 20;
const LINES_EACH = 40;
/** One folder in so many has a file with the words that are searched for. */
const RARE = 50;
const ROUNDS = 15;
const STARTS = 40;
const SEARCH_GOAL = 1.5;
const START_GOAL = 1.2;

export const benchTools: Benchmark = async (_, say) => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "turnseal-tools-")));
  try {
    say("making 10,000 files");
    fillFolder(place);
    say("searching");
    const searches = await measureSearches(place);
    say("starting sandboxes");
    return [...searches, await measureStart(place)];
  } finally {
    rmSync(place, { recursive: true });
  }
};

function fillFolder(place: string): void {
  for (let at = 0; at < FOLDERS; at++) {
    const inside = join(place, `group-${at % 20}`, `folder-${at}`);
    mkdirSync(inside, { recursive: true });
    for (let file = 0; file < FILES_EACH; file++) {
      const lines = Array.from({ length: LINES_EACH }, (_, line) => {
        const isRare = at % RARE === 0 && file === 7 && line === 20;
        return `export const value_${line} = "${at} ${file}";${isRare ? " // needle-42" : ""}\n`;
      });
      writeFileSync(join(inside, `file-${file}.${file % 2 === 0 ? "md" : "ts"}`), lines.join(""));
    }
  }
  execFileSync("git", ["init", "--quiet"], { cwd: place });
  execFileSync("git", ["add", "--all"], { cwd: place });
}

interface Search {
  readonly name: string;
  readonly ours: () => Promise<unknown>;
  readonly theirs: readonly [program: string, ...args: string[]];
}

async function measureSearches(place: string): Promise<readonly Figure[]> {
  const { glob, grep } = fileTools("site");
  const call = openCaller(place);
  const searches: readonly Search[] = [
    {
      name: "fs.glob, rg --files",
      ours: () => call(glob, { pattern: "*.ts" }),
      theirs: ["rg", "--files", "-g", "*.ts", "./"],
    },
    ...["needle-42", "needle-\\d+"].flatMap((pattern): Search[] => {
      const ours = () => call(grep, { pattern });
      return [
        { name: `fs.grep ${pattern}, rg`, ours, theirs: ["rg", "-n", pattern, "./"] },
        { name: `fs.grep ${pattern}, git grep`, ours, theirs: ["git", "grep", "-nP", pattern] },
      ];
    }),
  ];
  const figures: Figure[] = [];
  for (const search of searches) figures.push(await compare(place, search));
  const path = process.env["PATH"] ?? "";
  process.env["PATH"] = "";
  try {
    const ms = await timeOf(() => call(grep, { pattern: "needle-\\d+" }));
    return [...figures, { name: "fs.grep without ripgrep", columns: { ms } }];
  } finally {
    process.env["PATH"] = path;
  }
}

/** Runs one tool in a run of its own, and returns its output. */
function openCaller(place: string) {
  const signer = createSigner();
  const terms = [grantTerms.files("site")];
  const tools = ["fs.glob", "fs.grep"];
  const grant = { grantor: "ada", tools, terms, budget: { toolCalls: 1 } };
  const roots = folderRoots({ site: place });
  return async <Input extends JsonObject>(loop: Loop<Input, unknown>, input: Input) => {
    const stores = memoryStores(systemClock);
    const host = createLocalHost({ loops: [loop], stores, signer, clock: systemClock, roots });
    const { status } = await host.run(loop, input, { grant });
    if (status !== "completed") throw new Error(`the call ended as ${status}`);
  };
}

/** In turns, so that what else the machine does meets both alike. */
async function compare(place: string, { name, ours, theirs }: Search): Promise<Figure> {
  const [program, ...args] = theirs;
  const times: { readonly ours: number[]; readonly theirs: number[] } = { ours: [], theirs: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.ours.push(await timeOf(ours));
    times.theirs.push(await timeOf(() => start(program, args, { cwd: place })));
  }
  const [oursMs, theirsMs] = [median(times.ours), median(times.theirs)];
  return {
    name,
    columns: { ms: oursMs, "against ms": theirsMs, ratio: oursMs / theirsMs },
    goal: { column: "ratio", atMost: SEARCH_GOAL },
  };
}

/** The same arguments of bubblewrap, started by us and by itself. */
async function measureStart(place: string): Promise<Figure> {
  const folder = join(place, "group-0");
  for (const path of [place, folder]) chmodSync(path, 0o755);
  const sandbox = bubblewrap();
  const command = { argv: ["/usr/bin/true"], folder, startIn: "", env: {} };
  const startOne = async (isBare: boolean) => {
    const prepared = await sandbox.prepare({ ...command, profile: "read-only" });
    if (prepared.kind === "refused") throw new Error(prepared.why);
    const { file, args, env, startIn: cwd, passed, user, close } = prepared;
    const at = args.indexOf("bwrap");
    const [program, rest] = isBare ? ["bwrap", args.slice(at + 1)] : [file, args];
    const stdio = ["ignore", "pipe", "pipe", ...passed] as const;
    const started = start(program, rest, { ...{ cwd, env, stdio: [...stdio] }, ...user });
    close();
    await started;
  };
  await startOne(false);
  const times: { readonly ours: number[]; readonly bare: number[] } = { ours: [], bare: [] };
  for (let round = 0; round < STARTS; round++) {
    times.ours.push(await timeOf(() => startOne(false)));
    times.bare.push(await timeOf(() => startOne(true)));
  }
  const [oursMs, bareMs] = [median(times.ours), median(times.bare)];
  return {
    name: "start of the sandbox, bwrap",
    columns: { ms: oursMs, "against ms": bareMs, ratio: oursMs / bareMs },
    goal: { column: "ratio", atMost: START_GOAL },
  };
}

async function start(
  program: string,
  args: readonly string[],
  options: Parameters<typeof spawn>[2],
): Promise<void> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  child.stdout?.resume();
  child.stderr?.resume();
  const [exit] = await once(child, "close");
  if (exit !== 0) throw new Error(`${program} ended with ${exit}`);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
