/**
 * The host that needs nothing said: runs and keys in a folder, models from the environment, loops
 * as they are first named.
 *
 * What is convenient while one writes a program is refused in production: a grant of whatever a
 * loop may call, a loop without a version, and keys that anybody can make.
 */
import { modelsFromEnvironment } from "@turnseal/adapters/models";
import {
  createLocalHost,
  findStartProblem,
  HostError,
  type IntendedStart,
  type LocalHost,
  type LocalHostOptions,
  type RunOutcome,
  type StartOptions,
} from "@turnseal/host";
import type { Grant } from "@turnseal/protocol";
import { DEVELOPMENT_VERSION, type Loop, withUsed } from "@turnseal/protocol/authoring";
import { openSigner } from "../folder/open-keys.ts";
import { readPerson } from "../folder/read-person.ts";
import { createStoreFolder } from "../folder/store-folder.ts";
import { listToolNames } from "./list-tool-names.ts";

/** Every tool that the loop may call, and no other. For development: production names them. */
export type ItsTools = "its tools";

export type GrantToGive =
  | ItsTools
  | (Omit<Grant, "grantor" | "tools" | "budget"> & {
      /** Who grants it: whoever runs the program, unless given. */
      readonly grantor?: string;
      readonly tools: Grant["tools"] | ItsTools;
      readonly budget?: Grant["budget"];
    });

export interface TurnsealStart extends Omit<StartOptions, "grant"> {
  /** What the run may do. A loop without tools needs none. */
  readonly grant?: GrantToGive;
}

export interface TurnsealOptions extends Partial<Omit<LocalHostOptions, "stores" | "registry">> {
  /** The folder of runs and keys: `.turnseal` unless given. */
  readonly store?: string;
  /** Where keys and models are named: those of the process unless given. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * True to refuse what is only for development. Unless given, `NODE_ENV` says so, of the
   * environment that is given or of the process.
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
    options?: TurnsealStart,
  ): Promise<RunOutcome<Output>>;
  close(): Promise<void>;
}

/**
 * Opens a host on this machine.
 *
 * @example
 * const host = await turnseal();
 * const { status, output, requests } = await host.run(agent, input, { grant: "its tools" });
 */
export async function turnseal(options: TurnsealOptions = {}): Promise<Turnseal> {
  const { store, environment = process.env, loops = [], models, ...rest } = options;
  // Who gives an environment of its own, with keys alone, is still where the process is.
  const isProduction = [environment, process.env].some(({ NODE_ENV }) => NODE_ENV === "production");
  const { production = isProduction, ...given } = rest;
  if (production) loops.forEach(checkVersions);
  const { path, stores } = await createStoreFolder(store);
  const signer = given.signer ?? (await openSigner(path, environment));
  if (production && signer.issuer === "development")
    throw new HostError(
      "SIGNER_REFUSED",
      "production refuses development keys: set TURNSEAL_SIGN_KEY_FILE and TURNSEAL_SIGN_ISSUER, " +
        "or give `signer`",
    );
  const host = createLocalHost({
    ...given,
    ...{ loops, stores },
    models: { ...modelsFromEnvironment(environment), ...models },
    signer,
  });
  const register = (loop: Loop<never, unknown>): void => {
    if (production) checkVersions(loop);
    host.register(loop);
  };
  const start: Turnseal["start"] = async (loop, input, { grant, ...begin } = {}) => {
    register(loop);
    const given = toGrant(grant, { loop, host, production });
    checkStart(host, { loop: loop.definition, input, grant: given, ...begin });
    return host.start(loop, input, { ...begin, grant: given });
  };
  const resume: Turnseal["resume"] = async (loop, run) => {
    register(loop);
    return host.resume(loop, run);
  };
  return {
    ...host,
    ...{ register, start, resume },
    run: async (loop, input, begin) => resume(loop, await start(loop, input, begin)),
    close: async () => stores.close(),
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

function checkVersions(loop: Loop<never, unknown>): void {
  for (const { definition } of withUsed([loop]))
    if (definition.version === DEVELOPMENT_VERSION)
      throw new HostError(
        "LOOP_REFUSED",
        `loop ${definition.id} is refused: it has no version, which production needs; give it one`,
      );
}
