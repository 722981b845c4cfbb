// Commands in a real bubblewrap, on this machine: each attack stands beside an allowed twin.
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlace } from "../agent-desk.test.data.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { clearGit } from "./hold-git.ts";
import {
  FLOOD_BYTES_MAX,
  PROCESSES_MAX,
  RUN_MS_DEFAULT,
  RUN_MS_MAX,
  STREAM_BYTES_MAX,
} from "./limits.ts";
import { runCommand } from "./run-command.ts";
import type { SandboxProfile } from "./sandbox.ts";

const OWNER = 65_534;
let place: ReturnType<typeof createPlace>;
beforeEach(() => {
  place = createPlace();
  // Commands take the account of the workspace, and must reach it.
  chmodSync(join(place.folder, ".."), 0o755);
  put("a.txt", "one\n");
  put(".git/config", "[core]\n");
  own(place.folder);
});
afterEach(() => place.remove());

function put(path: string, text: string): void {
  const full = join(place.folder, path);
  mkdirSync(join(full, ".."), { recursive: true });
  writeFileSync(full, text);
}
function own(path: string): void {
  if (process.getuid?.() !== 0) return;
  chownSync(path, OWNER, OWNER);
  for (const name of readdirSync(path, { recursive: true }))
    chownSync(join(path, String(name)), OWNER, OWNER);
}

/** A process that has ended meanwhile has no arguments. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

interface Asked {
  readonly profile?: SandboxProfile;
  readonly env?: Readonly<Record<string, string>>;
  readonly runMs?: number;
  readonly stdin?: string;
  readonly signal?: AbortSignal;
  readonly isGit?: true;
}

const sandbox = bubblewrap();
async function run(argv: readonly string[], asked: Asked = {}) {
  const { profile = "read-only", env = {}, runMs = 20_000, stdin, isGit } = asked;
  const { signal = new AbortController().signal } = asked;
  const { folder } = place;
  const command = { argv, folder, startIn: "", profile, env, ...(isGit && { isGit }) };
  const prepared = await sandbox.prepare(command);
  if (prepared.kind === "refused") throw new Error(prepared.why);
  return runCommand(prepared, { runMs, signal, ...(stdin === undefined ? {} : { stdin }) });
}
const shell = (line: string, asked?: Asked) => run(["/bin/sh", "-c", line], asked);

describe("a command", () => {
  test("reads its workspace, its input and its arguments as they are", async () => {
    expect(await run(["cat", "a.txt"])).toMatchObject({ exit: 0, stdout: "one\n", isCut: false });
    expect(await run(["cat"], { stdin: "word" })).toMatchObject({ stdout: "word" });
    const odd = ["$(id)", "; id", "`id`", "--", "-x", "a b", "*"];
    expect(await run(["printf", "%s|", ...odd])).toMatchObject({ stdout: `${odd.join("|")}|` });
    expect(await shell("exit 3")).toMatchObject({ exit: 3 });
    expect(await shell("kill -9 $$")).not.toMatchObject({ exit: 0 });
  });

  test("has the environment that it was given, and a usual few", async () => {
    process.env["TURNSEAL_TEST_SECRET"] = "sk-live-1";
    const { stdout } = await run(["env"], { env: { GIVEN: "yes" } });
    delete process.env["TURNSEAL_TEST_SECRET"];
    const names = stdout.split("\n").map((line) => line.split("=")[0]);
    expect(names.filter(Boolean).toSorted()).toEqual(
      ["GIVEN", "HOME", "LANG", "NO_COLOR", "PATH", "PWD", "TMPDIR"].toSorted(),
    );
    expect(stdout).toContain("GIVEN=yes");
  });

  test("has a secret in its environment that no other user of the machine can list", async () => {
    const secret = `sk-${process.pid}-listed`;
    const working = run(["sleep", "2"], { env: { SECRET: secret } });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const shown = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((id) => readIfThere(`/proc/${id}/cmdline`));
    await working;
    expect(shown.filter((line) => line.includes("sleep\x002"))).not.toEqual([]);
    expect(shown.filter((line) => line.includes(secret))).toEqual([]);
  });

  test("sees nothing in the folder `.turnseal`, and writes nothing there", async () => {
    put(".turnseal/keys/signer.json", "secret\n");
    expect(await shell("ls -A .turnseal; cat a.txt")).toMatchObject({ exit: 0, stdout: "one\n" });
    const asked = { profile: "workspace-write" } as const;
    expect(await shell("echo x > .turnseal/a", asked)).toMatchObject({ exit: 2 });
    expect(await shell("rm -r .turnseal", asked)).not.toMatchObject({ exit: 0 });
    expect(readFileSync(join(place.folder, ".turnseal/keys/signer.json"), "utf8")).toBe("secret\n");
  });

  test("has no open file but its streams", async () => {
    const server = createServer().listen(0);
    const { stdout } = await shell("ls -l /proc/$$/fd");
    server.close();
    const open = stdout.match(/\d+ -> .*/g) ?? [];
    expect(open.filter((line) => !/^[0-2] |-> \/dev\/null$/.test(line))).toEqual([]);
  });
});

describe("an attack fails, and its twin does not", () => {
  const writes: readonly (readonly [string, string, SandboxProfile, boolean])[] = [
    ["a file of the workspace", "echo x > b.txt", "workspace-write", true],
    ["a file of the workspace", "echo x > b.txt", "read-only", false],
    ["a private file", "echo x > $TMPDIR/b && cat $TMPDIR/b", "read-only", true],
    [
      "a hook of git",
      "mkdir -p .git/hooks && echo x > .git/hooks/pre-commit",
      "workspace-write",
      false,
    ],
    ["the configuration of git", "echo x >> .git/config", "workspace-write", false],
    ["git, renamed away", "mv .git .other", "workspace-write", false],
    ["another folder", "mkdir hooks && echo x > hooks/pre-commit", "workspace-write", true],
    ["the system", "echo x > /usr/x", "workspace-write", false],
    ["the root", "mkdir /x/y", "read-only", false],
    ["the private root", "echo x > /x", "workspace-write", false],
    ["the memory of the host", "head -c 300M /dev/zero > /dev/shm/x", "workspace-write", false],
    ["the private folder, past its size", "head -c 300M /dev/zero > $TMPDIR/x", "read-only", false],
    ["a device", "echo x > /dev/x", "workspace-write", false],
    ["a link out", "ln -s /etc link && echo x > link/x", "workspace-write", false],
  ];
  test.each(writes)("writes %s: %s, %s", async (_, line, profile, isAllowed) => {
    const { exit } = await shell(`set -e; ${line}`, { profile });
    expect(exit === 0).toBe(isAllowed);
  });

  test("replaces neither the file `.git` of a working tree nor a link of that name", async () => {
    rmSync(join(place.folder, ".git"), { recursive: true });
    put(".git", "gitdir: /repository\n");
    own(place.folder);
    const replace = "rm -f .git; mkdir .git";
    expect(await shell(replace, { profile: "workspace-write" })).not.toMatchObject({ exit: 0 });
    expect(readFileSync(join(place.folder, ".git"), "utf8")).toBe("gitdir: /repository\n");
    rmSync(join(place.folder, ".git"));
    symlinkSync(place.outside, join(place.folder, ".git"));
    await expect(shell("true")).rejects.toThrow("link");
  });

  const git = { profile: "workspace-write", isGit: true } as const;
  test.each([
    ...["hooks/pre-commit", "info/attributes", "modules/a", "worktrees/a", "config.worktree"],
    "config",
  ])("writes .git/%s, even as git, whether its folder is there or not", async (name) => {
    for (const isThere of [false, true]) {
      if (isThere) for (const each of ["hooks", "info", "modules"]) put(`.git/${each}/old`, "");
      own(place.folder);
      expect(await shell(`echo x > .git/${name}`, git)).not.toMatchObject({ exit: 0 });
      expect(await shell(`rm -rf .git/${name.split("/")[0]}`, git)).not.toMatchObject({ exit: 0 });
    }
    expect(await shell("mv .git .other", git)).not.toMatchObject({ exit: 0 });
    const line =
      "echo x > .git/new && mv .git/new .git/index && mkdir .git/refs && cat .git/config";
    expect(await shell(line, git)).toMatchObject({ exit: 0, stdout: "[core]\n" });
  });

  test.each(["config", "hooks", "info", "modules", "worktrees"])(
    "runs no git where .git/%s is a link",
    async (name) => {
      put("own/config", "[core]\n");
      rmSync(join(place.folder, ".git", name), { force: true });
      symlinkSync(`../own${name === "config" ? "/config" : ""}`, join(place.folder, ".git", name));
      await expect(shell("true", git)).rejects.toThrow(`\`.git/${name}\` is a link`);
      expect(await shell("true")).toMatchObject({ exit: 0 });
    },
  );

  test("runs no git where `.git` leads to another folder, and leaves no such file", async () => {
    put(".git/commondir", "../own\n");
    await expect(shell("true", git)).rejects.toThrow("commondir");
    clearGit(place.folder);
    expect(await shell("true", git)).toMatchObject({ exit: 0 });
    expect(readdirSync(join(place.folder, ".git"))).not.toContain("commondir");
  });

  test.each(["state", "/etc", "nowhere"])("sees no keys by a link to %s", async (target) => {
    put("state/key", "secret\n");
    symlinkSync(target, join(place.folder, ".turnseal"));
    await expect(shell("cat .turnseal/key")).rejects.toThrow("`.turnseal` of the workspace");
  });

  test.each([
    ["the folder beside", () => join(place.outside, "secret")],
    ["the home of root", () => "/root/.profile"],
    ["shadow", () => "/etc/shadow"],
    ["the network of the host", () => "/sys/class/net/lo/address"],
    ["another process", () => `/proc/${process.pid}/environ`],
  ])("does not read %s", async (_, at) => {
    writeFileSync(join(place.outside, "secret"), "secret");
    const { exit, stdout } = await run(["cat", at()]);
    expect([exit === 0, stdout]).toEqual([false, ""]);
    expect(await run(["cat", "a.txt"])).toMatchObject({ exit: 0 });
  });

  test("reaches no network, not even of this machine", async () => {
    const server = createServer((socket) => socket.end("reached")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    const line = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
    const { stdout, exit } = await run(["/bin/bash", "-c", line]);
    server.close();
    expect([exit === 0, stdout]).toEqual([false, ""]);
  });

  test("makes no namespace in it, and is not root", async () => {
    expect(await run(["unshare", "-Ur", "true"])).not.toMatchObject({ exit: 0 });
    expect((await shell("id -u")).stdout.trim()).toBe(String(process.getuid?.() || OWNER));
    expect((await shell("grep CapEff /proc/self/status")).stdout).toMatch(/0{16}/);
  });

  test(`ends with more than PROCESSES_MAX processes: ${PROCESSES_MAX}`, async () => {
    const spawn = (count: number) =>
      shell(`i=0; while [ $i -lt ${count} ]; do sleep 5 & i=$((i+1)); done; echo all`, {
        runMs: 4_000,
      });
    expect((await spawn(20)).stdout).toBe("all\n");
    const bomb = await spawn(PROCESSES_MAX + 20);
    expect(bomb.stdout).toBe("");
  });

  test("is killed with its whole group at its deadline", async () => {
    const line = "(while true; do echo x >> alive; sleep 0.05; done) & setsid sleep 60 & wait";
    const end = await shell(line, { profile: "workspace-write", runMs: 500 });
    expect(end).toMatchObject({ killed: "timeout" });
    const size = () => run(["wc", "-c", "alive"]);
    const before = await size();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await size()).stdout).toBe(before.stdout);
    expect(RUN_MS_DEFAULT).toBeLessThan(RUN_MS_MAX);
  });

  test("is killed when its call is cancelled", async () => {
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 200);
    expect(await run(["sleep", "60"], { signal: cancel.signal })).toMatchObject({
      killed: "cancelled",
    });
  });

  test("has STREAM_BYTES_MAX of output kept, and is killed at FLOOD_BYTES_MAX", async () => {
    const fits = await shell(`head -c ${STREAM_BYTES_MAX} /dev/zero | tr '\\0' x`);
    expect([fits.isCut, fits.stdout.length]).toEqual([false, STREAM_BYTES_MAX]);
    const long = await shell(`head -c ${STREAM_BYTES_MAX + 1} /dev/zero | tr '\\0' x`);
    expect([long.isCut, long.stdout.length]).toEqual([true, STREAM_BYTES_MAX]);
    expect(await run(["yes"])).toMatchObject({ killed: "flood", isCut: true });
    expect(FLOOD_BYTES_MAX).toBeGreaterThan(STREAM_BYTES_MAX);
  });
});

describe("without a sandbox nothing runs", () => {
  test("a program that is not there, and a profile that it does not hold", async () => {
    const command = { argv: ["touch", "b"], folder: place.folder, startIn: "", env: {} };
    const absent = bubblewrap({ program: "/no/bwrap" });
    expect(await absent.prepare({ ...command, profile: "workspace-write" })).toEqual({
      kind: "refused",
      why: expect.stringContaining("bubblewrap"),
    });
    expect(await sandbox.prepare({ ...command, profile: "unrestricted" })).toMatchObject({
      kind: "refused",
    });
    expect(existsSync(join(place.folder, "b"))).toBe(false);
  });

  // Only a process that is root gives commands another account.
  test.runIf(process.getuid?.() === 0)("where its account may not reach it", async () => {
    const command = { argv: ["cat", "a.txt"], folder: place.folder, startIn: "", env: {} };
    const above = join(place.folder, "..");
    chmodSync(above, 0o700);
    expect(await sandbox.prepare({ ...command, profile: "read-only" })).toEqual({
      kind: "refused",
      why: expect.stringContaining(`may not pass the folder ${realpathSync(above)}:`),
    });
    chmodSync(above, 0o711);
    expect(await run(["cat", "a.txt"])).toMatchObject({ exit: 0 });
  });
});
