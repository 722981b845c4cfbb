import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * When a process started, as a text to compare: ids of processes are used again, and a lease must
 * not be taken for held because a stranger has the id of whoever is gone. Undefined for a process
 * that does not run.
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
    // A process that has ended and was not waited for is not one that holds anything.
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
