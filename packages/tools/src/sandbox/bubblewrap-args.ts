/**
 * The settings of bubblewrap for a command, as data.
 *
 * 1. Nothing of the host is there but the folders of the system, read-only, and the workspace.
 *    `/sys` is not, since it shows the network of the host.
 * 2. Every namespace is its own, and no command can make another. All capabilities are dropped.
 * 3. `.git` of a workspace is read-only for every command but git itself: a command writes no hook
 *    and no configuration that git executes later. For git these alone are read-only.
 * 4. A command has no network. One with a proxy has its socket, and no other way out.
 * 5. `.turnseal` of a workspace is empty for a command: it has the keys that sign receipts.
 */
import { PROXY_NODE, PROXY_SOCKET } from "./forward-network.ts";
import type { GitGuard } from "./hold-git.ts";
import {
  FILE_BYTES_MAX,
  OPEN_FILES_MAX,
  PROCESS_BYTES_MAX,
  PROCESSES_MAX,
  TMP_BYTES_MAX,
} from "./limits.ts";
import type { SandboxedCommand } from "./sandbox.ts";

/** A folder of the system: itself, or the target of the link that it is. */
export interface SystemFolder {
  readonly path: string;
  readonly linkTo?: string;
}

export interface BubblewrapPlace {
  readonly system: readonly SystemFolder[];
  /** More folders and files that commands may read. */
  readonly readable: readonly string[];
  /** True where the workspace has a folder `.git`, or the file that a working tree has. */
  readonly hasGit: boolean;
  /** The names in `.git` that git itself may not write; undefined for other commands. */
  readonly gitGuards?: readonly GitGuard[];
  /** True where it has a folder `.turnseal`. */
  readonly hasStore: boolean;
  /** What a command with a network needs: the program of Node, and the socket of its proxy. */
  readonly network?: { readonly node: string; readonly socket: string };
}

/** The workspace in the sandbox. */
const WORKSPACE = "/workspace";
const STORE = `${WORKSPACE}/.turnseal`;
const GIT = `${WORKSPACE}/.git`;
/** The numbers of the passed files. */
const WORKSPACE_FILE = 3;
const GIT_FILE = 4;
export const GUARD_FILE = 5;

const ETC_FILES = [
  ...["alternatives", "ca-certificates", "ld.so.cache", "localtime", "nsswitch.conf"],
  ...["passwd", "group", "ssl"],
].map((name) => `/etc/${name}`);

const NAMESPACES = [
  ...["--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent"],
  ...["--new-session", "--cap-drop", "ALL", "--hostname", "sandbox", "--clearenv"],
];

/** The program that sets limits, of util-linux. */
export const PRLIMIT = "/usr/bin/prlimit";

/** Limits are set before the sandbox: in it a command cannot raise them. */
export const LIMIT_ARGS: readonly string[] = [
  `--nproc=${PROCESSES_MAX}`,
  `--data=${PROCESS_BYTES_MAX}`,
  `--fsize=${FILE_BYTES_MAX}`,
  `--nofile=${OPEN_FILES_MAX}`,
  "--core=0",
];

/** The variables that every command has. */
const USUAL_ENV = {
  ...{ PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/tmp", TMPDIR: "/tmp" },
  ...{ LANG: "C.UTF-8", NO_COLOR: "1" },
};

/**
 * The arguments of bubblewrap before the command. It reads them from a file, since they hold the
 * variables of the command.
 */
export function bubblewrapSettings(
  { startIn, profile, env }: Omit<SandboxedCommand, "argv">,
  { system, readable, hasGit, gitGuards, hasStore, network }: BubblewrapPlace,
): string[] {
  const bind = profile === "read-only" ? "--ro-bind-fd" : "--bind-fd";
  return [
    ...NAMESPACES,
    ...system.flatMap(({ path, linkTo }) =>
      linkTo === undefined ? ["--ro-bind", path, path] : ["--symlink", linkTo, path],
    ),
    ...ETC_FILES.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...["/tmp", "/dev/shm"].flatMap((path) => ["--size", String(TMP_BYTES_MAX), "--tmpfs", path]),
    ...["--remount-ro", "/dev"],
    ...readable.flatMap((path) => ["--ro-bind", path, path]),
    ...(network === undefined
      ? []
      : [
          ...["--ro-bind", network.node, PROXY_NODE],
          ...["--ro-bind", network.socket, PROXY_SOCKET],
        ]),
    ...[bind, String(WORKSPACE_FILE), WORKSPACE],
    // Else a command could fill the memory of the host with files beside the workspace.
    ...["--remount-ro", "/"],
    ...(hasGit ? coverGit(gitGuards) : []),
    ...(hasStore ? ["--tmpfs", STORE, "--remount-ro", STORE] : []),
    ...Object.entries({ ...USUAL_ENV, ...env }).flatMap(([name, value]) => [
      ...["--setenv", name, value],
    ]),
    ...["--chdir", startIn === "" ? WORKSPACE : `${WORKSPACE}/${startIn}`],
  ];
}

/** Git may write its `.git`, which as a mount cannot be moved away, but none of the guarded. */
function coverGit(guards: readonly GitGuard[] = []): string[] {
  if (guards.length === 0) return ["--ro-bind-fd", String(GIT_FILE), GIT];
  const covers = guards.flatMap(({ name, file, isEmpty }) => {
    const at = `${GIT}/${name}`;
    if (file === undefined) return ["--tmpfs", at, "--remount-ro", at];
    return [isEmpty ? "--ro-bind-data" : "--ro-bind-fd", String(file), at];
  });
  return ["--bind-fd", String(GIT_FILE), GIT, ...covers];
}
