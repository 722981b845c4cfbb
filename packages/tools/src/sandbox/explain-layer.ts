/** Why a sandbox did not start: the layer that refused, and the remedy. */

/** Facts of this machine, each as its file says it; undefined where there is no such file. */
export interface MachineFacts {
  /** `/proc/sys/user/max_user_namespaces`. */
  readonly namespacesMax: string | undefined;
  /** `/proc/sys/kernel/unprivileged_userns_clone`. */
  readonly mayClone: string | undefined;
  /** `/proc/sys/kernel/apparmor_restrict_unprivileged_userns`. */
  readonly appArmor: string | undefined;
  /** The line `Seccomp` of `/proc/self/status`. */
  readonly seccomp: string | undefined;
}

const LAYERS = {
  bubblewrap:
    "bubblewrap is not installed: install it (`apt-get install bubblewrap`), and start the worker again",
  version:
    "bubblewrap is older than 0.8 and cannot forbid nested namespaces: install 0.8 or a later one",
  prlimit: "`prlimit` is not installed: install util-linux",
  namespaces:
    "user namespaces are turned off by the kernel: set `user.max_user_namespaces` and `kernel.unprivileged_userns_clone` with sysctl",
  appArmor:
    "AppArmor restricts user namespaces: give bwrap a profile with `userns`, or set `kernel.apparmor_restrict_unprivileged_userns=0`",
  seccomp:
    "a seccomp filter, such as that of a container, refuses new namespaces: start the container with a profile that allows `unshare` and `mount`",
  container:
    "a container hides a part of `/proc`, and no new one can be mounted: start it with `--security-opt systempaths=unconfined`",
  unknown: "bubblewrap failed for another reason: run `bwrap --unshare-all --ro-bind / / true`",
} as const;
export type SandboxLayer = keyof typeof LAYERS;

/** The layer by the words of bubblewrap and the facts of the machine. */
export function findLayer(words: string, facts: MachineFacts): SandboxLayer {
  if (/Unknown option/.test(words)) return "version";
  if (/mount proc|make \/ slave|mounting.*proc/i.test(words)) return "container";
  if (!/namespace|uid map|gid map|loopback|RTM_|Operation not permitted/i.test(words))
    return "unknown";
  if (facts.namespacesMax === "0" || facts.mayClone === "0") return "namespaces";
  if (facts.appArmor === "1") return "appArmor";
  return facts.seccomp === "2" ? "seccomp" : "unknown";
}

export function explainLayer(layer: SandboxLayer): string {
  return `the sandbox did not start, and the command was not run: ${LAYERS[layer]}`;
}
