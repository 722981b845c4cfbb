import {
  createWorkerLog,
  type LivePlace,
  openLive,
  startWorker,
  type Worker,
} from "@turnseal/operate/worker";
import type { Signer } from "@turnseal/ports";
import type { Policy } from "@turnseal/protocol";
import {
  createDurableFolder,
  isIdentityKey,
  loadPeers,
  type Peers,
  parseAddress,
} from "@turnseal/runtime/engine";
import { isUnwritable, openSigner } from "@turnseal/runtime/folder";
import {
  loadProject,
  type ProjectLoading,
  type ProviderLimitOptions,
  type RuleFiles,
  readPolicyFile,
  readProviderLimits,
  readRules,
} from "@turnseal/runtime/project";
import { describeListening } from "@turnseal/terminal/operate";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { acceptRules } from "../loops/accept-rules.ts";
import { listenForStop } from "../terminal/listen-for-stop.ts";
import { accept, RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";

export interface WorkerCommandOptions extends RuleFiles, LivePlace, ProviderLimitOptions {
  readonly from?: readonly string[];
  readonly postgres?: string;
  readonly tenant?: string | readonly string[];
  readonly tenantFiles?: string;
  readonly tenantFilesOptional?: boolean;
  readonly bind: string;
  readonly port: number;
  readonly metricsPort: number;
  readonly identityKey?: readonly string[];
  readonly insecureNoIdentity?: boolean;
  readonly slots: number;
  readonly connectionsMax?: number;
  readonly actionMax?: number;
  readonly stallMax: number | "none";
  readonly admin?: string;
  readonly advertise?: string;
  readonly drainMax: number;
  readonly production?: boolean;
  readonly withoutStandby?: boolean;
  readonly store?: string;
  readonly prices?: string;
}

/** `turnseal worker`: executes runs for an engine until it is stopped. */
export async function runWorker(
  options: WorkerCommandOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { environment, stdout } = surroundings;
  const problem = findProblem(options);
  if (problem !== undefined) throw new RefusalError(...problem);
  const peers = accept(await loadPeers());
  const read = acceptRules(await readRules(options));
  const { from, production = false, prices } = options;
  const loading = { from, environment, command: "worker", production, prices } as const;
  const project = accept(await loadProject(loading));
  const slow = findSlow(project, peers, options);
  if (slow !== undefined) throw new RefusalError(...slow);
  const signer = await openWorkerSigner(options, environment);
  if (Array.isArray(signer)) throw new RefusalError(...signer);
  const { tenantFiles: folder, tenantFilesOptional: isOptional = false, ...rest } = options;
  // A key that an operator has put there is no development key.
  const issuer = signer.issuer === "ci" ? "ci" : "hosted";
  const limits = accept(await readProviderLimits(options, project.host));
  const log = createWorkerLog((text) => stdout.write(text));
  const { listFor, unused } = limits;
  if (unused.length > 0) log.say("warn", "limits.unused", { names: unused.join(", ") });
  const live = await openLive(options, listFor);
  let worker: Worker;
  try {
    worker = await startWorker({
      ...rest,
      ...(options.actionMax === undefined ? {} : { actionMaxMs: options.actionMax }),
      stallMaxMs: options.stallMax === "none" ? 0 : options.stallMax,
      live,
      host: { ...project.host, ...read.rules, signer },
      ...(options.tenant === undefined ? {} : { tenants: [options.tenant].flat() }),
      ...(folder === undefined ? {} : { tenantFiles: { folder, issuer, isOptional, readPolicy } }),
      postgres: options.postgres ?? "",
      production,
      withoutStandby: options.withoutStandby ?? false,
      doorPort: options.metricsPort,
      identityKeys: options.identityKey ?? [],
      log,
    });
  } catch (error) {
    live.close();
    const problem = describeListening(error);
    if (problem === undefined) throw error;
    const next = "turnseal worker --bind <address> --port <n> --metrics-port <n>";
    throw new RefusalError(problem, next);
  }
  // Steps only begin after this point, so stopping earlier needs no drain.
  const stop = listenForStop(undefined);
  await waitFor(stop.signal);
  stop.release();
  const isEnded = await worker.drain(options.drainMax);
  live.close();
  return isEnded ? EXIT_CODES.done : EXIT_CODES.failed;
}

async function readPolicy(file: string): Promise<Policy | undefined> {
  const read = await readPolicyFile(file);
  return read.kind === "read" ? read.policy : undefined;
}

/** The key that receipts are signed with, or why there is none, and what to do. */
async function openWorkerSigner(
  { store, production = false }: Pick<WorkerCommandOptions, "store" | "production">,
  environment: Surroundings["environment"],
): Promise<Signer | [string, string]> {
  const folder = await createDurableFolder(store);
  const next = "set TURNSEAL_SIGN_KEY_FILE and TURNSEAL_SIGN_ISSUER";
  try {
    const signer = await openSigner(folder, environment);
    return production && signer.issuer === "development"
      ? ["production refuses development keys", next]
      : signer;
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    return [
      `there is no signing key, and none can be made in ${folder}, which cannot be written`,
      `${next}, or --store <a folder to write to>`,
    ];
  }
}

/** Settles when it should stop. */
export function waitFor(signal: AbortSignal): Promise<void> {
  return new Promise((resume) => {
    if (signal.aborted) resume();
    signal.addEventListener("abort", () => resume(), { once: true });
  });
}

function findProblem(options: WorkerCommandOptions): [string, string] | undefined {
  const { postgres, identityKey = [], insecureNoIdentity = false, production = false } = options;
  const { admin, advertise } = options;
  const wrong = identityKey.find((key) => !isIdentityKey(key));
  if (postgres === undefined)
    return [
      "no database is given",
      "--postgres postgres://user@host/database, or TURNSEAL_POSTGRES_URL",
    ];
  if (wrong !== undefined)
    return [
      "--identity-key must be publickeyv1_ followed by 40 to 50 letters and digits",
      "the engine prints its public key to its log at startup",
    ];
  for (const [flag, address] of [["--admin", admin] as const, ["--advertise", advertise] as const])
    if (address !== undefined && parseAddress(address) === undefined)
      return [
        `${flag} must be an http or https URL, without user name and password`,
        `${flag} http://127.0.0.1:9070`,
      ];
  if (production && insecureNoIdentity)
    return ["production refuses --insecure-no-identity", "--identity-key publickeyv1_..."];
  if (identityKey.length === 0 && !insecureNoIdentity)
    return [
      "requests to this port would not be authenticated: name the public key of the engine",
      "--identity-key publickeyv1_..., or --insecure-no-identity for local development",
    ];
  return undefined;
}

/** Tools that may take longer than the engine waits. */
export function findSlow(
  { registry }: Extract<ProjectLoading, { kind: "loaded" }>,
  { listSlowTools, engineTiming }: Extract<Peers, { kind: "loaded" }>,
  { actionMax }: Pick<WorkerCommandOptions, "actionMax">,
): [string, string] | undefined {
  const timing = engineTiming(actionMax === undefined ? {} : { actionMaxMs: actionMax });
  const slow = listSlowTools(registry, timing);
  if (slow.length === 0) return undefined;
  const message = `actions are limited to ${timing.actionMaxMs} ms, and these may take longer: `;
  return [`${message}${slow.join(", ")}`, "lower policy.timeoutMs of these, or raise --action-max"];
}
