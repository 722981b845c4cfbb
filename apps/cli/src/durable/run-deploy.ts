import {
  type Deployed,
  drainRelease,
  type OpenedDeploy,
  openDeploy,
  promoteRelease,
  readDeployStatus,
  registerRelease,
  removeRelease,
} from "@turnseal/operate/deploy";
import { loadPeers, parseAddress } from "@turnseal/runtime/engine";
import { loadRelease } from "@turnseal/runtime/project";
import { countOf, line, type Terminal, toned, writeJson } from "@turnseal/terminal";
import { renderDeployStatus } from "@turnseal/terminal/operate";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { accept, RefusalError } from "../terminal/refusal.ts";
import type { EngineStep } from "./defaults.ts";

export interface DeployOptions {
  readonly admin?: string;
  readonly postgres?: string;
  readonly from?: readonly string[];
  /** Where the workers are. */
  readonly url?: string;
  readonly json?: boolean;
}

/** `turnseal deploy`: what goes where, one step at a time. */
export async function runDeploy(
  step: EngineStep,
  release: string | undefined,
  options: DeployOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { admin = "", postgres } = options;
  const address = parseAddress(admin);
  if (address === undefined || postgres === undefined)
    throw new RefusalError(
      "the engine's admin API and the database are needed",
      `turnseal deploy ${step} --admin http://127.0.0.1:9070 --postgres postgres://user@host/database`,
    );
  accept(await loadPeers());
  const opened = await openDeploy({ admin: address, postgres });
  try {
    if (step === "status") return await showStatus(opened, options, terminal);
    const loaded = release === undefined ? accept(await loadRelease(options.from)) : undefined;
    const name = release ?? loaded?.release.name ?? "";
    const steps = { promote: promoteRelease, drain: drainRelease, remove: removeRelease };
    if (step !== "register") return report(await steps[step](opened, name), step, terminal);
    const uri = parseAddress(options.url ?? "");
    if (uri === undefined || loaded === undefined)
      throw new RefusalError("where are the workers?", REGISTER);
    const registered = await registerRelease(opened, { release: loaded.release, uri });
    return report(registered, step, terminal);
  } finally {
    await opened.book.close();
  }
}

const REGISTER = "turnseal deploy register --from <loops> --url http://workers.internal:9080";

async function showStatus(
  opened: OpenedDeploy,
  { json }: DeployOptions,
  { out }: Terminal,
): Promise<ExitCode> {
  const status = await readDeployStatus(opened);
  if (json) writeJson(out, status, 2);
  else renderDeployStatus(status).forEach(out.writeLine);
  return EXIT_CODES.done;
}

function report(
  deployed: Deployed & { readonly needed?: number },
  step: Exclude<EngineStep, "status">,
  terminal: Terminal,
): ExitCode {
  if (deployed.kind === "refused")
    throw new RefusalError(deployed.message, deployed.next, EXIT_CODES.failed);
  const done = {
    register: "registered",
    promote: "promoted",
    drain: "draining",
    remove: "removed",
  };
  const { release, uri, needed } = deployed;
  const still = needed === undefined ? "" : `, needed by ${countOf(needed, "unfinished run")}`;
  terminal.out.writeLine(line(toned("good", "✓ "), `${release} ${done[step]}, at ${uri}${still}`));
  // A pipeline may ask again until nothing is left.
  return (needed ?? 0) > 0 ? EXIT_CODES.waiting : EXIT_CODES.done;
}
