/**
 * A page as somebody types it: one shell, its files written, its programs run, its commands in
 * order, each with the time that it took.
 */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Fence, readMark } from "../documents/list-fences.ts";

export interface TypedStep {
  readonly command: string;
  readonly status: number;
  readonly seconds: number;
  readonly out: string;
  /** What the page shows below it. */
  readonly shown?: string;
}

interface Planned {
  readonly command: string;
  readonly shown?: string;
}

/** What is typed for the fences of a page. Its files are written at once. */
export function planPage(fences: readonly Fence[], folder: string): Planned[] {
  return fences.flatMap((fence, index): Planned[] => {
    const { language, marks, text, line } = fence;
    const file = readMark(fence, "file") ?? (language === "ts" ? `line-${line}.ts` : undefined);
    const isShown = marks.some((mark) => /^(no-run|needs-key|before|from=)/.test(mark));
    if (file !== undefined && !isShown) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `${text}\n`);
    }
    if (isShown || readMark(fence, "file") !== undefined) return [];
    const commands = language === "sh" ? splitCommands(text) : [`node line-${line}.ts`];
    if (language !== "sh" && language !== "ts") return [];
    const next = fences[index + 1];
    const shown = next?.language === "text" ? { shown: next.text } : {};
    return commands.map((command, at) => ({
      command,
      ...(at === commands.length - 1 ? shown : {}),
    }));
  });
}

function splitCommands(text: string): string[] {
  return text
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
}

const mark = "@typed";

/** Types the commands into one shell, and answers with what became of each. */
export async function typePage(
  planned: readonly Planned[],
  { folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv },
): Promise<TypedStep[]> {
  const tell = `__status=$?; printf '\\n${mark} %s\\n' "$__status"; (exit $__status)`;
  const script = planned.map(({ command }) => `${command}\n${tell}\n`).join("");
  const steps: TypedStep[] = [];
  let rest = "";
  let began = performance.now();
  const child = spawn("bash", ["-c", script], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stderr.pipe(process.stderr);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    rest += text;
    for (let ended = endOf(rest); ended !== null; ended = endOf(rest)) {
      const [whole, out = "", status] = ended;
      const seconds = (performance.now() - began) / 1_000;
      const step = planned[steps.length];
      if (step !== undefined) steps.push({ ...step, out, seconds, status: Number(status) });
      began = performance.now();
      rest = rest.slice(whole.length);
    }
  });
  await new Promise<void>((resume) => {
    child.on("close", () => resume());
  });
  return steps;
}

function endOf(text: string): RegExpExecArray | null {
  return new RegExp(`^((?:.|\\n)*?)\\n${mark} (\\d+)\\n`).exec(text);
}
