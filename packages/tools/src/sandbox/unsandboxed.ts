/** No sandbox at all, for a machine that is one itself, such as a container for this run alone. */
import { existsSync } from "node:fs";
import { LIMIT_ARGS, PRLIMIT } from "./bubblewrap-args.ts";
import { explainLayer } from "./explain-layer.ts";
import type { Sandbox } from "./sandbox.ts";

/**
 * Runs commands with the rights of this process, and without its environment. It takes the profile
 * `unrestricted` alone, which the grant must name.
 *
 * @example
 * const commands = commandTools({
 *   ...{ root: "site", folder: "site", sandbox: unsandboxed(), profile: "unrestricted" },
 * });
 */
export function unsandboxed(): Sandbox {
  return {
    stage: "none",
    prepare: async ({ argv, folder, startIn, profile, env }) => {
      if (profile !== "unrestricted")
        return {
          kind: "refused",
          why: `without a sandbox nothing holds the profile \`${profile}\`: use \`bubblewrap()\``,
        };
      if (!existsSync(PRLIMIT)) return { kind: "refused", why: explainLayer("prlimit") };
      return {
        ...{ kind: "ready", file: PRLIMIT, args: [...LIMIT_ARGS, "--", ...argv] },
        env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/tmp", LANG: "C.UTF-8", ...env },
        startIn: startIn === "" ? folder : `${folder}/${startIn}`,
        passed: [],
        close: () => {},
      };
    },
  };
}
