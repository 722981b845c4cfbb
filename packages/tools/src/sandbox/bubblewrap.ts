/**
 * Commands in bubblewrap, a program that makes a sandbox of Linux namespaces.
 *
 * 1. It is tried once, before the first command. If a layer refuses it, every command is refused.
 * 2. A command never runs as root: a process that is root takes the account that owns the
 *    workspace, since root in a sandbox is root for the files of the workspace.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { dirname } from "node:path";
import { openProxy } from "../proxy/open-proxy.ts";
import {
  type BubblewrapPlace,
  bubblewrapSettings,
  GUARD_FILE,
  LIMIT_ARGS,
  PRLIMIT,
  type SystemFolder,
} from "./bubblewrap-args.ts";
import { explainLayer, findLayer, type MachineFacts, type SandboxLayer } from "./explain-layer.ts";
import { type Account, findClosed } from "./find-closed.ts";
import { forwardCommand } from "./forward-network.ts";
import { holdGit } from "./hold-git.ts";
import { runCommand } from "./run-command.ts";
import type { PreparedCommand, Sandbox, SandboxedCommand } from "./sandbox.ts";

export interface BubblewrapOptions {
  /** The program; by default the one on the `PATH`. */
  readonly program?: string;
  /** More folders and files of the host that commands may read, such as that of a compiler. */
  readonly readable?: readonly string[];
}

const ENV = { PATH: "/usr/local/bin:/usr/bin:/bin" };
const PROBE_MS_MAX = 10_000;
const SYSTEM_FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];
/** The account of no person, for a workspace that is only read. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const IF_THERE = { throwIfNoEntry: false } as const;

/**
 * A sandbox of bubblewrap 0.8 or later. It refuses every command where it cannot start.
 *
 * @example
 * const commands = commandTools({ root: "site", folder: "site", sandbox: bubblewrap() });
 */
export function bubblewrap({ program = "bwrap", readable = [] }: BubblewrapOptions = {}): Sandbox {
  const system = listSystem();
  let probed: Promise<SandboxLayer | undefined> | undefined;
  return {
    stage: "bubblewrap",
    prepare: async (command): Promise<PreparedCommand> => {
      if (command.profile === "unrestricted")
        return { kind: "refused", why: "bubblewrap has no profile `unrestricted`" };
      if ((command.profile === "network") !== (command.reach !== undefined))
        return { kind: "refused", why: "the profile `network`, and no other, needs hosts" };
      probed ??= probe(program, system);
      const layer = await probed;
      if (layer !== undefined) return { kind: "refused", why: explainLayer(layer) };
      const held = holdWorkspace(command);
      if (typeof held === "string") return { kind: "refused", why: held };
      const { passed, user, ...shown } = held;
      const opened = await openNetwork(command, user);
      if (opened.kind === "refused") closeAll(passed);
      if (opened.kind === "refused") return opened;
      const { proxy, network, argv } = opened;
      const place = { system, readable, ...shown, ...(network && { network }) };
      const args = [...LIMIT_ARGS, program, ...startArgs(passed.length, argv)];
      return {
        ...{ kind: "ready", file: PRLIMIT, args },
        ...{ env: ENV, startIn: "/", passed, settings: toSettings(command, place) },
        ...(user === undefined ? {} : { user }),
        ...(proxy && { proxy }),
        close: () => closeAll(passed),
      };
    },
  };
}

/** The proxy of a command, and how it is started with one. */
async function openNetwork({ argv, reach }: SandboxedCommand, user: Account | undefined) {
  if (reach === undefined) return { kind: "open" as const, argv };
  const node = realpathSync(process.execPath);
  const closed = user === undefined ? undefined : findClosed(dirname(node), user);
  if (closed !== undefined) return { kind: "refused" as const, why: explainClosed(closed, user) };
  try {
    const proxy = await openProxy(reach, user);
    const network = { node, socket: proxy.socket };
    return { kind: "open" as const, argv: forwardCommand(argv), proxy, network };
  } catch {
    const why = "the socket of the proxy could not be made: check the folder for temporary files";
    return { kind: "refused" as const, why };
  }
}

/** The command stands behind the number of the file with the settings. */
function startArgs(passed: number, argv: readonly string[]): string[] {
  return ["--args", String(3 + passed), "--", ...argv];
}

function toSettings(command: Omit<SandboxedCommand, "argv">, place: BubblewrapPlace): string {
  return bubblewrapSettings(command, place)
    .map((argument) => `${argument}\0`)
    .join("");
}

interface HeldWorkspace extends Pick<BubblewrapPlace, "hasGit" | "gitGuards" | "hasStore"> {
  readonly passed: readonly number[];
  readonly user: typeof NOBODY | undefined;
}

/** Opens the workspace and its `.git`, so that no path is followed once more. */
function holdWorkspace(command: SandboxedCommand): HeldWorkspace | string {
  const workspace = openFolder(command.folder);
  if (workspace === undefined) return "the workspace is no folder, or is a link";
  const passed = [workspace];
  const held = holdInside(command, passed);
  const account = typeof held === "string" ? held : chooseAccount(command, workspace);
  if (typeof held !== "string" && typeof account !== "string")
    return { ...held, passed, user: account };
  closeAll(passed);
  return typeof held === "string" ? held : String(account);
}

/** Adds to the passed files what it opens. */
function holdInside({ profile, isGit }: SandboxedCommand, passed: number[]) {
  const inside = `/proc/self/fd/${passed[0]}`;
  const gitAt = `${inside}/.git`;
  const store = lstatSync(`${inside}/.turnseal`, IF_THERE);
  // Its target would be shown, and a link can lead to the keys in the workspace.
  if (store?.isSymbolicLink() === true)
    return "`.turnseal` of the workspace is a link: make it a folder";
  const hasStore = store?.isDirectory() === true;
  const git = openFolder(gitAt) ?? openFile(gitAt);
  // A link could be exchanged for a folder with hooks.
  if (git === undefined && lstatSync(gitAt, IF_THERE) !== undefined)
    return "`.git` of the workspace is a link, or cannot be read: make it a folder";
  if (git === undefined) return { hasGit: false, hasStore };
  passed.push(git);
  if (isGit !== true || profile !== "workspace-write") return { hasGit: true, hasStore };
  const held = holdGit(git, GUARD_FILE);
  if (typeof held === "string") return held;
  passed.push(...held.passed);
  return { hasGit: true, hasStore, gitGuards: held.guards };
}

/** The account of the command; undefined where it is that of this process. */
function chooseAccount({ folder, profile }: SandboxedCommand, workspace: number) {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = fstatSync(workspace);
  const user = uid === 0 ? NOBODY : { uid, gid };
  return (
    refuseAccount(folder, { user, writesAsRoot: uid === 0 && profile !== "read-only" }) ?? user
  );
}

function refuseAccount(
  folder: string,
  { user, writesAsRoot }: { readonly user: Account; readonly writesAsRoot: boolean },
): string | undefined {
  if (writesAsRoot)
    return (
      "this process is root, and so is the owner of the workspace, so that a command would write " +
      "as root: run the worker under another account, or give the workspace to one with `chown -R`"
    );
  const closed = findClosed(folder, user);
  if (closed === undefined) return undefined;
  return `${explainClosed(closed, user)}, or move the workspace`;
}

function explainClosed(closed: string, user: Account | undefined): string {
  return (
    `the command runs as the account ${user?.uid}, which may not pass the folder ${closed}: ` +
    "open it with `chmod o+x`"
  );
}

function openFolder(path: string): number | undefined {
  return openAs(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

/** Without waiting: a pipe in the place of a file would never be opened. */
function openFile(path: string): number | undefined {
  return openAs(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
}

function openAs(path: string, flags: number): number | undefined {
  try {
    return openSync(path, flags);
  } catch {
    return undefined;
  }
}

function listSystem(): SystemFolder[] {
  return SYSTEM_FOLDERS.flatMap((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return [];
    return found.isSymbolicLink() ? { path, linkTo: readlinkSync(path) } : { path };
  });
}

/** Starts a command that does nothing; the layer that refuses it, if one does. */
async function probe(
  program: string,
  system: readonly SystemFolder[],
): Promise<SandboxLayer | undefined> {
  if (lstatSync(PRLIMIT, { throwIfNoEntry: false }) === undefined) return "prlimit";
  const folder = "/usr";
  const command = { argv: ["/usr/bin/true"], folder, startIn: "", env: {} } as const;
  const passed = [openSync(folder, O_RDONLY | O_DIRECTORY)];
  const place = { system, readable: [], hasGit: false, hasStore: false };
  const { argv, ...rest } = { ...command, profile: "read-only" as const };
  const args = startArgs(passed.length, argv);
  const settings = toSettings(rest, place);
  const started = { file: program, args, settings, env: ENV, startIn: "/", passed };
  const user = process.getuid?.() === 0 ? { user: NOBODY } : {};
  const limits = { runMs: PROBE_MS_MAX, signal: new AbortController().signal };
  try {
    const end = await runCommand({ ...started, ...user, close: () => closeAll(passed) }, limits);
    return end.exit === 0 ? undefined : findLayer(end.stderr, readFacts());
  } catch {
    return "bubblewrap";
  }
}

function closeAll(files: readonly number[]): void {
  for (const file of files) closeSync(file);
}

function readFacts(): MachineFacts {
  const status = readText("/proc/self/status");
  return {
    namespacesMax: readText("/proc/sys/user/max_user_namespaces"),
    mayClone: readText("/proc/sys/kernel/unprivileged_userns_clone"),
    appArmor: readText("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
    seccomp: /^Seccomp:\s*(\d)/m.exec(status ?? "")?.[1],
  };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}
