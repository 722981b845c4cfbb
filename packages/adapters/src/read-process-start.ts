import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Returns the start time of a process, as a text to compare. Process ids are reused, so a lease
 * must not count as held because a stranger has its holder's id. Undefined for a process that does
 * not run.
 */
export function readProcessStart(pid: number): string | undefined {
  return process.platform === "linux" ? readFromProc(pid) : askPs(pid);
}

// The time is the 22nd field; the second holds the name of the program, which may hold anything but
// ends with a bracket.
const FIELDS_AFTER_NAME = 19;

function readFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie process holds nothing.
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${fields[FIELDS_AFTER_NAME]}`;
  } catch {
    return undefined;
  }
}

function askPs(pid: number): string | undefined {
  const { status, stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    encoding: "utf8",
  });
  const text = status === 0 ? stdout.trim() : "";
  return text === "" ? undefined : text;
}
