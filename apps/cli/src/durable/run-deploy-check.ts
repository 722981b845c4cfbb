import { checkUpgrade } from "@turnseal/operate/deploy";
import { loadRelease } from "@turnseal/runtime/project";
import { type Terminal, writeJson } from "@turnseal/terminal";
import { renderDeployCheck } from "@turnseal/terminal/operate";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { accept } from "../terminal/refusal.ts";
import { withBook } from "../with-book.ts";
import type { DeployOptions } from "./run-deploy.ts";

/** `turnseal deploy check`: finds the unfinished runs that new loops would block. */
export async function runDeployCheck(
  options: Pick<DeployOptions, "from" | "postgres" | "json">,
  terminal: Terminal,
): Promise<ExitCode> {
  const { postgres, from, json = false } = options;
  const place = { command: "deploy check --from <new loops>", postgres };
  return withBook(
    place,
    (peers, url) => peers.openReleaseBook({ url }),
    async (book) => {
      const loaded = accept(await loadRelease(from));
      const upgrade = await checkUpgrade(book, loaded.release);
      if (json) writeJson(terminal.out, upgrade, 2);
      else renderDeployCheck(upgrade).forEach(terminal.out.writeLine);
      return upgrade.blocked === 0 ? EXIT_CODES.done : EXIT_CODES.failed;
    },
  );
}
