import { open } from "node:fs/promises";
import { join, relative } from "node:path";
import {
  createWorkerLog,
  deployWorker,
  type LivePlace,
  type OpenedLive,
  openLive,
  repairTenant,
  startWorker,
  type Worker,
} from "@turnseal/operate/worker";
import { TENANT_DEFAULT } from "@turnseal/runtime";
import {
  createDurableFolder,
  type Engine,
  endLeftEngine,
  findEngine,
  findProcess,
  findTakenPort,
  forgetProcess,
  loadPeers,
  noteProcess,
  type Peers,
  startEngine,
} from "@turnseal/runtime/engine";
import { openSigner } from "@turnseal/runtime/folder";
import {
  createModuleReader,
  loadProject,
  type RuleFiles,
  readRules,
} from "@turnseal/runtime/project";
import { type Line, line, renderDetail, type Terminal, toned } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { acceptRules } from "../loops/accept-rules.ts";
import { listenForStop } from "../terminal/listen-for-stop.ts";
import { accept, RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { DEV_PORTS, DRAIN_MS_DEFAULT } from "./defaults.ts";
import { type ReloadParts, reloadLoops } from "./reload-loops.ts";
import { findSlow, waitFor } from "./run-worker.ts";

export interface DevOptions extends RuleFiles, LivePlace {
  readonly from?: readonly string[];
  readonly postgres?: string;
  readonly tenant?: string;
  readonly ports: number;
  readonly store?: string;
  readonly prices?: string;
  /** True to reload definitions when their files change. */
  readonly watch?: boolean;
}

/** `turnseal dev`: an engine, a worker and the database, together, until it is stopped. */
export async function runDev(options: DevOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { terminal, environment } = surroundings;
  const { postgres } = options;
  if (postgres === undefined)
    throw new RefusalError(
      "a PostgreSQL server is needed; the database is created if it does not exist",
      "turnseal dev --postgres postgres://postgres@127.0.0.1:5432/turnseal_dev",
    );
  const peers = accept(await loadPeers());
  const read = acceptRules(await readRules(options));
  const { from, prices } = options;
  const reader = options.watch === true ? createModuleReader() : undefined;
  const place = { from, environment, command: "dev", prices } as const;
  const project = accept(await loadProject({ ...place, importModule: reader?.importModule }));
  const slow = findSlow(project, peers, {});
  if (slow !== undefined) throw new RefusalError(...slow);
  const folder = await createDurableFolder(options.store);
  const other = await findProcess(folder);
  if (other !== undefined)
    throw new RefusalError(
      `turnseal dev is already running here, as process ${other}`,
      `kill ${other}`,
    );
  const restate = join(folder, "..", "restate");
  await endLeftEngine(restate);
  const { ports } = options;
  const taken = await findTakenPort(Array.from({ length: DEV_PORTS }, (_, index) => ports + index));
  if (taken !== undefined)
    throw new RefusalError(
      `port ${taken} is in use; ${DEV_PORTS} free ports from ${ports} on are needed`,
      "turnseal dev --ports <first>",
    );
  const signer = await openSigner(folder, environment);
  await noteProcess(folder, process.pid);
  try {
    await peers.createPostgresDatabase(postgres);
    await peers.migratePostgres({ url: postgres });
    const host = { ...project.host, ...read.rules, signer };
    const { registry, paths } = project;
    const watched = reader && { reader, place, registry, paths };
    return await startAll(
      { ...options, postgres, peers, host, folder, restate, watched },
      terminal,
    );
  } finally {
    await forgetProcess(folder);
  }
}

/** From here on, a stop ends everything, at any point. */
async function startAll(parts: Parts, terminal: Terminal): Promise<ExitCode> {
  const { ports, restate } = parts;
  const live = await openLive(parts);
  const stop = listenForStop(undefined);
  try {
    const places = { ingress: ports, admin: ports + 1, node: ports + 2 };
    if (findEngine() === undefined)
      throw new RefusalError(
        "the engine is not installed for this machine",
        "npm install @restatedev/restate-server",
      );
    const engine = await startEngine({ folder: restate, ports: places, stop: stop.signal });
    try {
      if (stop.signal.aborted) return EXIT_CODES.done;
      return await serve({ ...parts, live, engine }, { stop: stop.signal, terminal });
    } finally {
      await engine.stop();
    }
  } finally {
    live.close();
    stop.release();
  }
}

const REPAIR_EVERY_MS = 30_000;
const STOPPING = `stopping, within ${DRAIN_MS_DEFAULT / 1_000} s; Ctrl-C again does not wait for \
what was begun`;

interface Parts extends DevOptions {
  readonly postgres: string;
  readonly peers: Extract<Peers, { kind: "loaded" }>;
  readonly host: Parameters<typeof startWorker>[0]["host"];
  readonly folder: string;
  /** Where the engine has its data. */
  readonly restate: string;
  /** The parts that are read again when files change. */
  readonly watched: Pick<ReloadParts, "reader" | "place" | "registry" | "paths"> | undefined;
}

interface Started extends Parts {
  readonly live: OpenedLive;
  readonly engine: Engine;
}

async function serve(
  { peers, host, live, engine, folder, postgres, ports, watched, ...named }: Started,
  { stop, terminal }: { readonly stop: AbortSignal; readonly terminal: Terminal },
): Promise<ExitCode> {
  const { tenant = TENANT_DEFAULT } = named;
  const file = join(folder, "worker.log");
  const output = await open(file, "a", 0o600);
  // Lines that come after the file was closed are dropped.
  const log = createWorkerLog((text) => void output.appendFile(text).catch(() => {}));
  const served = {
    ...{ host, live, postgres, log, tenants: [tenant], bind: "127.0.0.1" },
    ...{ identityKeys: [engine.identityKey], admin: engine.admin },
  };
  const worker = await startWorker({ ...served, port: ports + 3, doorPort: ports + 4 });
  const ended = AbortSignal.any([stop, abortedAfter(engine.ended)]);
  await deployWorker(worker, { admin: engine.admin, postgres });
  await waitUntilReady(worker, ended);
  // Repairs runs whose messages were lost with an engine's folder or a power cut.
  const parts = { peers, ingress: engine.ingress, postgres, tenant };
  if (!ended.aborted) await repairTenant(parts);
  const timer = setInterval(() => void repairTenant(parts).catch(() => {}), REPAIR_EVERY_MS);
  const place = { engine, worker, postgres, file };
  if (!ended.aborted) renderPlaces(place).forEach(terminal.out.writeLine);
  const reloading =
    watched === undefined
      ? undefined
      : reloadLoops({ ...watched, peers, options: served, first: worker, terminal, stop: ended });
  await waitFor(ended);
  clearInterval(timer);
  if (stop.aborted) terminal.err.writeLine(line(STOPPING));
  const again = listenForStop(undefined);
  const late = waitFor(again.signal).then(() => false);
  const drained = Promise.all([worker.drain(DRAIN_MS_DEFAULT), reloading]);
  const isEnded = await Promise.race([drained.then(([isDone]) => isDone), late]);
  again.release();
  await output.close();
  if (!stop.aborted) {
    terminal.err.writeLine(
      line(toned("bad", "error: "), `the engine has exited: see ${engine.log}`),
    );
    return EXIT_CODES.failed;
  }
  return isEnded ? EXIT_CODES.done : EXIT_CODES.failed;
}

function abortedAfter(ended: Promise<void>): AbortSignal {
  const controller = new AbortController();
  void ended.then(() => controller.abort());
  return controller.signal;
}

async function waitUntilReady(worker: Worker, ended: AbortSignal): Promise<void> {
  while (!ended.aborted && !(await worker.isReady()))
    await new Promise((resume) => setTimeout(resume, 50));
}

interface Places {
  readonly engine: Engine;
  readonly worker: Worker;
  readonly postgres: string;
  readonly file: string;
}

function renderPlaces({ engine, worker, postgres, file }: Places): Line[] {
  const url = new URL(postgres);
  const hasPassword = url.password !== "";
  url.password = "";
  const shown = hasPassword ? "<the URL that you gave>" : url.href;
  return [
    line(toned("good", "✓ "), "ready"),
    ...renderDetail("engine", `${engine.ingress}, admin API at ${engine.admin}`),
    ...renderDetail("database", url.href),
    ...renderDetail(
      "worker",
      `${worker.uri}, metrics at http://127.0.0.1:${worker.doorPort}/metrics`,
    ),
    ...renderDetail("logs", [file, engine.log].map((path) => relative("", path)).join(", ")),
    line("in another terminal:"),
    line(`  export TURNSEAL_HOST=${engine.ingress}`),
    line(`  export TURNSEAL_POSTGRES_URL=${shown}`),
    line("Press Ctrl-C to stop. Open runs continue at the next start."),
  ];
}
