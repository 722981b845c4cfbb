import { spawn } from "node:child_process";

interface Started {
  /** Its output, when it has ended, by itself or not. */
  readonly ended: Promise<string>;
  kill(): void;
}

/** Starts a program of Node in a folder, with the packages from source. */
export function startNode(
  args: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv },
): Started {
  const child = spawn(process.execPath, ["--conditions=turnseal-source", ...args], {
    ...{ cwd: folder, env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
  const ended = new Promise<string>((settle) => {
    child.on("close", () => settle(out));
  });
  return { ended, kill: () => child.kill("SIGKILL") };
}
