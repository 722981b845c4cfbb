import { expect, test } from "vitest";
import { bubblewrapSettings, LIMIT_ARGS } from "./bubblewrap-args.ts";
import { explainLayer, findLayer } from "./explain-layer.ts";
import { FILE_BYTES_MAX, OPEN_FILES_MAX, PROCESS_BYTES_MAX, TMP_BYTES_MAX } from "./limits.ts";
import { unsandboxed } from "./unsandboxed.ts";

const command = {
  folder: "/srv/site",
  startIn: "src",
  env: { A: "b" },
};
const place = {
  system: [{ path: "/usr" }, { path: "/bin", linkTo: "usr/bin" }],
  readable: ["/opt/node"],
  hasGit: true,
  hasStore: true,
};

test("the arguments of a command that writes", () => {
  expect(bubblewrapSettings({ ...command, profile: "workspace-write" }, place)).toEqual([
    ...["--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent"],
    ...["--new-session", "--cap-drop", "ALL", "--hostname", "sandbox", "--clearenv"],
    ...["--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin"],
    ...["--ro-bind-try", "/etc/alternatives", "/etc/alternatives"],
    ...["--ro-bind-try", "/etc/ca-certificates", "/etc/ca-certificates"],
    ...["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"],
    ...["--ro-bind-try", "/etc/localtime", "/etc/localtime"],
    ...["--ro-bind-try", "/etc/nsswitch.conf", "/etc/nsswitch.conf"],
    ...["--ro-bind-try", "/etc/passwd", "/etc/passwd", "--ro-bind-try", "/etc/group", "/etc/group"],
    ...["--ro-bind-try", "/etc/ssl", "/etc/ssl"],
    ...["--proc", "/proc", "--dev", "/dev"],
    ...["--size", String(TMP_BYTES_MAX), "--tmpfs", "/tmp"],
    ...["--size", String(TMP_BYTES_MAX), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"],
    ...["--ro-bind", "/opt/node", "/opt/node"],
    ...["--bind-fd", "3", "/workspace", "--remount-ro", "/"],
    ...["--ro-bind-fd", "4", "/workspace/.git"],
    ...["--tmpfs", "/workspace/.turnseal", "--remount-ro", "/workspace/.turnseal"],
    ...["--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "HOME", "/tmp"],
    ...["--setenv", "TMPDIR", "/tmp", "--setenv", "LANG", "C.UTF-8", "--setenv", "NO_COLOR", "1"],
    ...["--setenv", "A", "b", "--chdir", "/workspace/src"],
  ]);
});

test("git writes its folder, but not what names programs", () => {
  const gitGuards = [
    { name: "config", file: 5, isEmpty: false },
    { name: "config.worktree", file: 6, isEmpty: true },
    { name: "hooks", isEmpty: false },
  ];
  const settings = bubblewrapSettings(
    { ...command, profile: "workspace-write" },
    { ...place, gitGuards },
  );
  const from = settings.indexOf("/workspace/.git") - 2;
  expect(settings.slice(from, from + 13)).toEqual([
    ...["--bind-fd", "4", "/workspace/.git"],
    ...["--ro-bind-fd", "5", "/workspace/.git/config"],
    ...["--ro-bind-data", "6", "/workspace/.git/config.worktree"],
    ...["--tmpfs", "/workspace/.git/hooks", "--remount-ro", "/workspace/.git/hooks"],
  ]);
});

test("one that reads binds nothing for writing", () => {
  const args = bubblewrapSettings({ ...command, profile: "read-only" }, place);
  expect(args.filter((argument) => /^--(dev-)?bind/.test(argument))).toEqual([]);
});

test("one with a network sees Node and the socket of its proxy", () => {
  const network = { node: "/opt/node/bin/node", socket: "/srv/proxy/socket" };
  const settings = bubblewrapSettings({ ...command, profile: "network" }, { ...place, network });
  const at = settings.indexOf("/opt/node/bin/node");
  expect(settings.slice(at - 1, at + 5)).toEqual([
    ...["--ro-bind", "/opt/node/bin/node", "/run/turnseal/node"],
    ...["--ro-bind", "/srv/proxy/socket", "/run/turnseal/proxy"],
  ]);
  expect(settings).toContain("--unshare-all");
  expect(settings).not.toContain("--share-net");
});

test("the limits of each process", () => {
  expect(LIMIT_ARGS).toContain(`--data=${PROCESS_BYTES_MAX}`);
  expect(LIMIT_ARGS).toContain(`--fsize=${FILE_BYTES_MAX}`);
  expect(LIMIT_ARGS).toContain(`--nofile=${OPEN_FILES_MAX}`);
});

const fine = { namespacesMax: "100", mayClone: "1", appArmor: "0", seccomp: "0" };
test.each([
  ["bwrap: Unknown option --disable-userns", fine, "version"],
  ["bwrap: No permissions to create new namespace", { ...fine, mayClone: "0" }, "namespaces"],
  ["bwrap: Creating new namespace failed", { ...fine, namespacesMax: "0" }, "namespaces"],
  ["bwrap: setting up uid map: Permission denied", { ...fine, appArmor: "1" }, "appArmor"],
  [
    "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
    { ...fine, appArmor: "1" },
    "appArmor",
  ],
  [
    "bwrap: Creating new namespace failed: Operation not permitted",
    { ...fine, seccomp: "2" },
    "seccomp",
  ],
  ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", fine, "container"],
  ["bwrap: Failed to make / slave: Permission denied", fine, "container"],
  ["bwrap: something else", { ...fine, seccomp: "2" }, "unknown"],
] as const)("%s: %j is %s", (words, facts, layer) => {
  expect(findLayer(words, facts)).toBe(layer);
  expect(explainLayer(layer)).toMatch(/^the sandbox did not start, and the command was not run: ./);
});

const argv = ["node", "--version"];
test.each(["read-only", "workspace-write", "network"] as const)(
  "without a sandbox %s is refused",
  async (profile) => {
    expect(await unsandboxed().prepare({ ...command, argv, profile })).toMatchObject({
      kind: "refused",
    });
    const profiled = { ...command, argv, profile: "unrestricted" } as const;
    expect(await unsandboxed().prepare(profiled)).toMatchObject({
      kind: "ready",
      startIn: "/srv/site/src",
    });
  },
);
