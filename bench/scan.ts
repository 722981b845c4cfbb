/**
 * What it costs to find out that nothing changed in a folder of 50,000 files, against `git status`
 * in the same folder. Both have seen the files before, and ask the file system for each of them.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { folderRoot } from "@turnseal/adapters/fs";
import { type Digester, type FileRoot, findDrift, type ManagedFiles } from "@turnseal/ports";
import { median } from "./median.ts";
import type { Benchmark } from "./report.ts";

const FOLDERS = 500;
const FILES_EACH = 100;
const ROUNDS = 9;
const RATIO_GOAL = 2;
/** Longer than a file must have been left alone to be known without its bytes. */
const SETTLING_MS = 3_000;

export const benchScan: Benchmark = async (_, say) => {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-scan-"));
  try {
    say("making 50,000 files");
    fillFolder(folder);
    await setTimeout(SETTLING_MS);
    const root = folderRoot({ folder, createDigester });
    const started = performance.now();
    const managed = await recordAll(root);
    const firstMs = performance.now() - started;
    say("scanning");
    const times = await measureBoth(folder, root, managed);
    const [scanMs, gitMs] = [median(times.scan), median(times.git)];
    return [
      {
        name: "nothing changed",
        columns: {
          ...{ files: managed.files.length, "first scan ms": firstMs },
          ...{ "scan ms": scanMs, "git status ms": gitMs, ratio: scanMs / gitMs },
        },
        goal: { column: "ratio", atMost: RATIO_GOAL },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const createDigester = (): Digester => {
  const hash = createHash("sha256");
  return {
    update: (part) => hash.update(part),
    digest: () => `sha256:${hash.digest("hex")}`,
  };
};

function fillFolder(folder: string): void {
  for (let at = 0; at < FOLDERS; at++) {
    const inside = join(folder, `group-${at % 20}`, `folder-${at}`);
    mkdirSync(inside, { recursive: true });
    for (let file = 0; file < FILES_EACH; file++)
      writeFileSync(join(inside, `file-${file}.txt`), `${at} ${file}\n`.repeat(20));
  }
  git(folder, ["init", "--quiet"]);
  git(folder, ["add", "--all"]);
  const who = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
  git(folder, [...who, "commit", "--quiet", "--message", "all"]);
}

function git(folder: string, args: readonly string[]): string {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8" });
}

async function recordAll(root: FileRoot): Promise<ManagedFiles> {
  const scan = await root.scan({ folders: [""] });
  const entries = scan.kind === "scanned" ? scan.entries : [];
  return { files: entries.filter((entry) => entry.kind === "file"), folders: [""] };
}

/** In turns, so that what else the machine does meets both alike. */
async function measureBoth(folder: string, root: FileRoot, managed: ManagedFiles) {
  const times: { readonly scan: number[]; readonly git: number[] } = { scan: [], git: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const scanFrom = performance.now();
    const answer = await findDrift(root, managed);
    const gitFrom = performance.now();
    const status = git(folder, ["status", "--porcelain"]);
    const gitTo = performance.now();
    if (answer.kind !== "looked" || answer.drifts.length > 0 || status !== "")
      throw new Error("something changed");
    times.scan.push(gitFrom - scanFrom);
    times.git.push(gitTo - gitFrom);
  }
  return times;
}
