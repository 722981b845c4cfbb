/**
 * The host with defaults for everything: runs and keys in a folder, models from the environment,
 * loops at their first use.
 *
 * Production refuses shortcuts of development: a grant of every tool that a loop may call, a loop
 * without a version, and keys that anyone can make.
 */
import { ENVIRONMENT_BACKENDS, modelsFromEnvironment } from "@turnseal/adapters/models";
import {
  type AnswerOptions,
  createLocalHost,
  findStartProblem,
  HostError,
  type IntendedStart,
  type LocalHost,
  type LocalHostOptions,
  type RunOutcome,
  type StartOptions,
} from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import { type Grant, listBackends } from "@turnseal/protocol";
import { DEVELOPMENT_VERSION, type Loop, withUsed } from "@turnseal/protocol/authoring";
import type { Finding, RunVerdict } from "@turnseal/protocol/receipts";
import { TENANT_DEFAULT } from "./defaults.ts";
import { toPublicKey } from "./folder/keys/open-keys.ts";
import { readPerson } from "./folder/read-person.ts";
import { openRunStore } from "./folder/run-store.ts";
import { listToolNames } from "./runs/list-tool-names.ts";

const SCRIPTED = "scripted";

/** Every tool that the loop may call, and no other. For development: production names them. */
export type ItsTools = "its tools";

export type GrantToGive =
  | ItsTools
  | (Omit<Grant, "grantor" | "tools" | "budget"> & {
      /** The grantor: the user who runs the program, unless given. */
      readonly grantor?: string;
      readonly tools: Grant["tools"] | ItsTools;
      readonly budget?: Grant["budget"];
    });

export interface TurnsealStart extends Omit<StartOptions, "grant"> {
  /** The grant of the run. A loop without tools needs none. */
  readonly grant?: GrantToGive;
}

export interface TurnsealOptions extends Partial<Omit<LocalHostOptions, "stores" | "registry">> {
  /**
   * Where the runs are: a folder (`.turnseal` unless given), `":memory:"`, the address of a
   * PostgreSQL database, or stores of your own.
   */
  readonly store?: string | Stores;
  /** Whose runs these are, in a database of several tenants: `default` unless given. */
  readonly tenant?: string;
  /** The environment with keys and models: by default that of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * True to refuse parts that are only for development. By default, `NODE_ENV` decides, in the
   * given environment or in that of the process.
   */
  readonly production?: boolean;
}

export interface Turnseal extends Omit<LocalHost, "start" | "run"> {
  start<Input>(
    loop: Loop<Input, unknown>,
    input: NoInfer<Input>,
    options?: TurnsealStart,
  ): Promise<string>;
  /** Starts a run, drives it until it stops or waits, and says what came of it. */
  run<Input, Output>(
    loop: Loop<Input, Output>,
    input: NoInfer<Input>,
    options?: TurnsealStart & AnswerOptions,
  ): Promise<RunOutcome<Output>>;
  /**
   * Verifies the receipts of a run and of its whole family, with the keys of this store.
   * An outsider verifies the export of `turnseal export`.
   */
  verify(run: string): Promise<VerifiedFamily>;
  close(): Promise<void>;
}

/** What was found in a run and in the runs that started each other around it. */
export interface VerifiedFamily {
  readonly valid: boolean;
  /** The verdict on each run, the first of the family first. */
  readonly runs: readonly RunVerdict[];
  /** What is wrong between the runs. */
  readonly findings: readonly Finding[];
}

/**
 * Opens a host on this machine.
 *
 * @example
 * const host = await turnseal();
 * const { status, output, requests } = await host.run(agent, input, { grant: "its tools" });
 */
export async function turnseal(options: TurnsealOptions = {}): Promise<Turnseal> {
  const { store, tenant = TENANT_DEFAULT, loops = [], models, ...others } = options;
  const { environment = process.env, ...rest } = others;
  // A caller's own environment may hold only keys, so `process.env` counts, too.
  const isProduction = [environment, process.env].some(({ NODE_ENV }) => NODE_ENV === "production");
  const { production = isProduction, ...given } = rest;
  if (production) loops.forEach(checkVersions);
  const opened = await openRunStore(store, tenant);
  const { stores } = opened;
  const signer = given.signer ?? (await opened.openSigner(environment));
  if (production && signer.issuer === "development")
    throw new HostError(
      "SIGNER_REFUSED",
      "production refuses development keys: set TURNSEAL_SIGN_KEY_FILE and TURNSEAL_SIGN_ISSUER, " +
        "or give `signer`",
    );
  const bound = { ...modelsFromEnvironment(environment), ...models };
  const host = createLocalHost({
    ...given,
    ...{ loops, stores },
    models: bound,
    signer,
  });
  const register = (loop: Loop<never, unknown>): void => {
    if (production) checkVersions(loop);
    checkBackends(loop, Object.keys(bound), production);
    host.register(loop);
  };
  const start: Turnseal["start"] = async (loop, input, { grant, ...begin } = {}) => {
    register(loop);
    checkKeys(loop, Object.keys(bound));
    const given = toGrant(grant, { loop, host, production });
    checkStart(host, { loop: loop.definition, input, grant: given, ...begin });
    return host.start(loop, input, { ...begin, grant: given });
  };
  const resume: Turnseal["resume"] = async (loop, run, options) => {
    register(loop);
    return host.resume(loop, run, options);
  };
  return {
    ...host,
    ...{ register, start, resume },
    run: async (loop, input, { answer, ...begin } = {}) =>
      resume(loop, await start(loop, input, begin), answer === undefined ? {} : { answer }),
    verify: async (run) => {
      const { findHead, verifyFamily } = await import("./runs/verify-family.ts");
      const own = toPublicKey(signer);
      const keys = [...(await opened.readKeys()), ...(own === undefined ? [] : [own])];
      const isListed = async (one: string) => (await stores.log.read(one, 1, 1)).length > 0;
      const parts = { stores, isListed, trust: { keys, production } };
      const head = await findHead(run, parts);
      const { runs = [], findings = [] } = (await verifyFamily(head, parts)) ?? {};
      const valid = runs.length > 0 && findings.length === 0 && runs.every((one) => one.valid);
      return { valid, runs, findings };
    },
    close: opened.close,
  };
}

function checkStart(host: LocalHost, { files, input, ...start }: IntendedStart & FilesGiven): void {
  // Files are put into the input when the run starts.
  const whole = files === undefined ? { ...start, input } : start;
  const problem = findStartProblem(host.registry, whole);
  if (problem !== undefined) throw new HostError(problem.code, problem.message);
}

type FilesGiven = Pick<StartOptions, "files">;

interface Granting {
  readonly loop: Loop<never, unknown>;
  readonly host: LocalHost;
  readonly production: boolean;
}

function toGrant(given: GrantToGive | undefined, { loop, host, production }: Granting): Grant {
  const own = listToolNames(host.registry, loop.definition);
  if (given === undefined && own.length > 0)
    throw new HostError(
      "GRANT_REFUSED",
      `${loop.definition.id} can call ${own.join(", ")}, and the run has no grant: give ` +
        '`grant`, with these as `tools`, or in development "its tools"',
    );
  const grant = given === "its tools" ? ({ tools: given } as const) : (given ?? { tools: own });
  if (grant.tools === "its tools" && production)
    throw new HostError(
      "GRANT_REFUSED",
      `"its tools" is for development: in production, name the tools: ${own.join(", ")}`,
    );
  const tools = grant.tools === "its tools" ? own : grant.tools;
  return { grantor: readPerson(), budget: {}, ...grant, tools };
}

/** A backend of the environment needs its key. */
function checkKeys(loop: Loop<never, unknown>, bound: readonly string[]): void {
  for (const { definition } of withUsed([loop])) {
    const ids = listBackends(definition).flatMap(({ id }) => (bound.includes(id) ? [] : [id]));
    const lacking = ENVIRONMENT_BACKENDS.find(({ id }) => ids.includes(id));
    if (definition.kind !== "prompt" || lacking === undefined) continue;
    const { id, switchVariable } = lacking;
    throw new HostError(
      "BACKEND_UNBOUND",
      `prompt ${definition.id} asks ${id}, which the environment has no key for: ` +
        `export ${switchVariable}=...`,
    );
  }
}

/** A script answers a prompt without a backend. That is for programs without any other model. */
function checkBackends(
  loop: Loop<never, unknown>,
  bound: readonly string[],
  production: boolean,
): void {
  if (bound.includes(SCRIPTED) || (bound.length === 0 && !production)) return;
  for (const { definition } of withUsed([loop])) {
    const { id, kind } = definition;
    if (kind !== "prompt" || listBackends(definition).every(({ id: name }) => name !== SCRIPTED))
      continue;
    const known = bound.length === 0 ? "" : `, one of ${bound.join(", ")}`;
    throw new HostError(
      "BACKEND_UNBOUND",
      `a script would answer prompt ${id}: give the prompt a \`backend\`${known}, or bind the ` +
        `model \`${SCRIPTED}\``,
    );
  }
}

function checkVersions(loop: Loop<never, unknown>): void {
  for (const { definition } of withUsed([loop]))
    if (definition.version === DEVELOPMENT_VERSION)
      throw new HostError(
        "LOOP_REFUSED",
        `loop ${definition.id} is refused: it has no version, which production needs; give it one`,
      );
}
