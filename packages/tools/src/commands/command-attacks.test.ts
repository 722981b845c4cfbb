// Lines that try to leave the sandbox, each beside an allowed twin. The log seals all of them.
// Without a sandbox no line runs.
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonValue } from "@turnseal/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlace, openDesk } from "../agent-desk.test.data.ts";
import { bubblewrap } from "../sandbox/bubblewrap.ts";
import { grantTerms } from "../terms/grant-terms.ts";
import { commandTools } from "./command-tools.ts";

/** An account of its own: its processes are counted with those of no other test. */
const OWNER = 65_533;
let place: ReturnType<typeof createPlace>;
beforeEach(() => {
  place = createPlace();
  chmodSync(join(place.folder, ".."), 0o755);
  chmodSync(place.outside, 0o777);
  writeFileSync(join(place.outside, "secret"), "secret\n", { mode: 0o666 });
  mkdirSync(join(place.folder, ".git/hooks"), { recursive: true });
  writeFileSync(join(place.folder, ".git/config"), "[core]\n");
  writeFileSync(join(place.folder, "a.txt"), "one\n");
  if (process.getuid?.() !== 0) return;
  for (const name of ["", ...readdirSync(place.folder, { recursive: true }).map(String)])
    chownSync(join(place.folder, name), OWNER, OWNER);
});
afterEach(() => place.remove());

const writing = { profile: "workspace-write" } as const;
function open(sandbox = bubblewrap()) {
  const { run, shell } = commandTools({ root: "w", folder: place.folder, sandbox, ...writing });
  const terms = [grantTerms.commands("w", writing)];
  return openDesk({ tools: [run, shell], terms, folder: place.folder });
}

/** A spawn of so many sleepers; a shell that cannot make one ends. */
const spawn = (count: number) => `i=0; while [ $i -lt ${count} ]; do sleep 2 & i=$((i+1)); done`;
const dial = (to: string) => `bash -c 'exec 3<>${to}'`;

/** `OUTSIDE` stands for the folder beside, `PID` for the process of the worker. */
const attacks: readonly (readonly [name: string, line: string, twin: string])[] = [
  ["the folder beside", "cat OUTSIDE/secret", "cat a.txt"],
  ["dots", "cat /workspace/../OUTSIDE/secret", "cat ../workspace/a.txt"],
  ["a link out", "ln -s OUTSIDE w; cat w/secret", "ln -s a.txt v; cat v"],
  ["the root of another process", "cat /proc/1/root/OUTSIDE/secret", "cat /proc/self/cwd/a.txt"],
  ["a hard link to the system", "ln /etc/passwd p", "ln a.txt q"],
  ["a write beside", "echo x > OUTSIDE/secret", "echo x > b.txt"],
  ["a write to the root", "echo x > /x", "echo x > $TMPDIR/x"],
  ["a write to the system", "echo x > /usr/bin/x", "ls /usr/bin"],
  ["a write to an account", "echo x >> /etc/passwd", "cat /etc/passwd"],
  ["shadow", "cat /etc/shadow", "cat /etc/group"],
  ["the home of root", "ls /root/", "ls /tmp/"],
  ["the sockets of services", "ls /run/", "ls /usr/"],
  ["the files of other programs", "ls /var/lib", "ls /lib/"],
  ["the network by /sys", "cat /sys/class/net/lo/address", "cat /proc/self/status"],
  ["a block device", "mknod d b 8 0", "mkfifo f"],
  ["a character device", "mknod d c 1 3", "cat /dev/null"],
  ["the memory of the machine", "head -c1 /dev/mem", "head -c1 /dev/zero"],
  ["the log of the machine", "head -c1 /dev/kmsg", "head -c1 /dev/urandom"],
  ["the terminal", "cat < /dev/tty", "cat < a.txt"],
  ["a mount", "mount -t tmpfs none /mnt", "cat /proc/mounts"],
  ["a mount for writing", "mount -o remount,rw /usr", "true"],
  ["an unmount", "umount /workspace/.git", "ls .git"],
  ["a user namespace", "unshare -U true", "true"],
  ["a user namespace as root", "unshare -Ur true", "id"],
  ["a mount namespace", "unshare -m true", "true"],
  ["a process namespace", "unshare -p -f true", "true"],
  ["a network namespace", "unshare -n true", "true"],
  ["a nested sandbox", "bwrap --ro-bind / / true", "true"],
  ["another namespace", "nsenter -t 1 -m true", "true"],
  ["another root", "/usr/sbin/chroot . /bin/true", "cd .git"],
  ["the account of root", "setpriv --reuid 0 true", "setpriv --reuid $(id -u) true"],
  ["a program of root", "su root -c true", "id -u"],
  ["a file of root", "chown 0 a.txt", "chown $(id -u) a.txt"],
  ["a signal to the worker", "kill -0 PID", "kill -0 $$"],
  ["the environment of the worker", "cat /proc/PID/environ", "cat /proc/self/environ"],
  ["a secret of the worker", "printenv TURNSEAL_TEST_SECRET", "printenv PATH"],
  ["a secret by its parent", "tr '\\0' '\\n' < /proc/1/environ | grep SECRET", "printenv HOME"],
  [
    "an open file of the worker",
    "ls -l /proc/self/fd | grep socket | grep ' [3-9] '",
    "ls /proc/self/fd",
  ],
  [
    "a setting of the kernel",
    "echo x > /proc/sys/kernel/core_pattern",
    "cat /proc/sys/kernel/pid_max",
  ],
  ["a key of the kernel", "echo b > /proc/sysrq-trigger", "true"],
  ["the name of the machine", "hostname x", "hostname"],
  ["the clock", "date -s 2001-01-01", "date"],
  ["more open files", "ulimit -n 4096", "ulimit -n 64"],
  ["larger files", "ulimit -f unlimited", "ulimit -f 64"],
  ["dumps of memory", "ulimit -c unlimited", "ulimit -c 0"],
  ["a file past its limit", "truncate -s 2G big", "truncate -s 1M small"],
  [
    "memory past its limit",
    "dd if=/dev/zero of=/dev/null bs=3G count=1",
    "dd if=/dev/zero of=/dev/null bs=1M count=1",
  ],
  [
    "a private folder past its size",
    "head -c 300M /dev/zero > $TMPDIR/x",
    "head -c 1M /dev/zero > $TMPDIR/x",
  ],
  ["processes past their number", spawn(200), spawn(10)],
  ["output without an end", "yes", "yes | head -3"],
  ["a database of this machine", dial("/dev/tcp/127.0.0.1/5432"), "bash -c 'exec 3<a.txt'"],
  ["a host by its address", dial("/dev/tcp/1.1.1.1/80"), "true"],
  ["a packet", dial("/dev/udp/8.8.8.8/53"), "true"],
  ["the metadata of a cloud", dial("/dev/tcp/169.254.169.254/80"), "true"],
  ["a host of version 6", dial("/dev/tcp/::1/5432"), "true"],
  ["a host by its name", "getent hosts example.com", "getent passwd root"],
  ["a hook of git", "echo x > .git/hooks/pre-commit", "mkdir hooks; echo x > hooks/pre-commit"],
  ["the configuration of git", "echo x >> .git/config", "echo x >> config"],
  ["the mode of it", "chmod 777 .git/config", "chmod 600 a.txt"],
  ["git, removed", "rm -rf .git", "rm -rf other"],
  ["git, renamed", "mv .git other", "mv a.txt c.txt"],
  ["git, replaced by a link", "ln -sfn /tmp .git/hooks", "ln -sfn /tmp hooks"],
  ["a lock of git", "touch .git/index.lock", "touch index.lock"],
  ["a setting by git", "git -c safe.directory='*' config core.fsmonitor x", "git --version"],
];

const isRun = (value: JsonValue | undefined) => (value as { exit?: number }).exit === 0;
const fill = (line: string) =>
  line.replaceAll("OUTSIDE", place.outside).replaceAll("PID", String(process.pid));

describe("an attack fails and is sealed, and its twin runs", () => {
  test.each(attacks)("%s: %s, %s", async (_, line, twin) => {
    process.env["TURNSEAL_TEST_SECRET"] = "sk-live-1";
    const desk = open();
    const call = (command: string) => () => ({
      tool: "process.shell",
      input: { command: fill(command), timeoutMs: 20_000 },
    });
    const { run, told } = await desk.work(call(line), call(twin));
    delete process.env["TURNSEAL_TEST_SECRET"];
    expect(told.map(isRun)).toEqual([false, true]);
    expect(JSON.stringify(told)).not.toMatch(/secret\\n|sk-live-1/);
    expect(await desk.readSeal(run)).toMatchObject({ isSealed: true });
    expect(readdirSync(place.outside)).toEqual(["secret"]);
    expect(readFileSync(join(place.outside, "secret"), "utf8")).toBe("secret\n");
    expect(readFileSync(join(place.folder, ".git/config"), "utf8")).toBe("[core]\n");
    expect(readdirSync(join(place.folder, ".git/hooks"))).toEqual([]);
  });

  test("without a sandbox none of them runs", async () => {
    const before = readdirSync(place.folder);
    const lines = attacks.flatMap(([, line, twin]) => [line, twin]);
    for (let at = 0; at < lines.length; at += 25) {
      const part = lines.slice(at, at + 25);
      const desk = open(bubblewrap({ program: "/no/bwrap" }));
      const { run, told } = await desk.work(
        ...part.map((command) => () => ({ tool: "process.shell", input: { command } })),
      );
      expect(told.map((each) => (each as { error?: string }).error)).toEqual(
        part.map(() => "TOOL_FAILED"),
      );
      expect(await desk.readSeal(run)).toEqual({ failed: part.length, isSealed: true });
    }
    expect(readdirSync(place.folder)).toEqual(before);
  });
});

describe("an input outside of the grant is refused and sealed, and its twin is not", () => {
  const argvs: readonly (readonly [string, object])[] = [
    ["another program", { argv: ["ls", "a.txt"] }],
    ["a program by its path", { argv: ["/bin/cat", "a.txt"] }],
    ["one of the workspace", { argv: ["./cat", "a.txt"] }],
    ["a program through another", { argv: ["env", "cat", "a.txt"] }],
    ["a shell", { argv: ["sh", "-c", "cat a.txt"] }],
    ["capitals", { argv: ["CAT", "a.txt"] }],
    ["a space", { argv: ["cat ", "a.txt"] }],
    ["a line end", { argv: ["cat\n", "a.txt"] }],
    ["a NUL", { argv: ["cat", "a\0b"] }],
    ["a variable in front", { argv: ["LD_PRELOAD=x", "cat"] }],
    ["an empty program", { argv: ["", "a.txt"] }],
    ["no program", { argv: [] }],
    ["one argument more", { argv: ["cat", "a.txt", "a.txt"] }],
    ["one argument fewer", { argv: ["cat"] }],
    ["an encoded slash", { argv: ["cat%2Fa.txt"] }],
    ["a pattern as an argument of two", { argv: ["cat/a.txt"] }],
    ["a variable", { argv: ["cat", "a.txt"], env: { LD_PRELOAD: "x" } }],
    ["another folder", { argv: ["cat", "a.txt"], folder: "/" }],
    ["another profile", { argv: ["cat", "a.txt"], profile: "unrestricted" }],
    ["the rights of git", { argv: ["cat", "a.txt"], isGit: true }],
    ["a place above", { argv: ["cat", "a.txt"], startIn: ".." }],
    ["a place of the machine", { argv: ["cat", "a.txt"], startIn: "/etc" }],
    ["more time than there is", { argv: ["cat", "a.txt"], timeoutMs: 10_000_000 }],
  ];
  test.each(argvs)("%s: %j", async (_, input) => {
    const { run: loop } = commandTools({ root: "w", folder: place.folder, sandbox: bubblewrap() });
    const terms = [grantTerms.commands("w", { commands: ["cat/*"] })];
    const desk = openDesk({ tools: [loop], terms, folder: place.folder });
    const { run, told } = await desk.work(
      () => ({ tool: "process.run", input }),
      () => ({ tool: "process.run", input: { argv: ["cat", "$(id); a.txt"] } }),
      () => ({ tool: "process.run", input: { argv: ["cat", "a.txt"] } }),
    );
    expect(told).toMatchObject([
      { error: expect.any(String) },
      { exit: 1 },
      { exit: 0, stdout: "one\n" },
    ]);
    expect(await desk.readSeal(run)).toMatchObject({ isSealed: true });
  });
});
