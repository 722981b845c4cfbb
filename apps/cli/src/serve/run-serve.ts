import { startMessage } from "@turnseal/host";
import {
  createServerMetrics,
  type Door,
  type ServerMetrics,
  watchHealth,
} from "@turnseal/operate/metrics";
import { hearStrays, type LivePlace, openLive } from "@turnseal/operate/worker";
import { memoryLiveBus } from "@turnseal/ports";
import { isLoopError } from "@turnseal/protocol";
import type { RunPlace } from "@turnseal/runtime";
import { loadForServing, type ProjectLoading } from "@turnseal/runtime/project";
import { createServer, type ServedHttp, serve } from "@turnseal/server";
import {
  type Line,
  line,
  renderDetail,
  renderNext,
  renderNote,
  renderStray,
  shortId,
  toned,
} from "@turnseal/terminal";
import { describeListening } from "@turnseal/terminal/operate";
import { describeBlocked } from "@turnseal/views";
import { waitFor } from "../durable/run-worker.ts";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { listenForStop } from "../terminal/listen-for-stop.ts";
import { accept, RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { openServedTenants, type ServedTenants } from "./open-tenants.ts";
import { type People, readPeople } from "./read-people.ts";
import { readServed, type Served } from "./read-served.ts";

export interface ServeOptions extends Omit<RunPlace, "tenant">, LivePlace {
  readonly from?: readonly string[];
  readonly tenant?: string | readonly string[];
  readonly keys?: string;
  readonly insecureLocalhost?: boolean;
  readonly bind?: string;
  readonly port: number;
  readonly metricsPort?: number;
  readonly origin?: readonly string[];
  readonly prices?: string;
  readonly connectionsMax?: number;
  readonly cell?: string;
}

const LOCALHOST = "127.0.0.1";
/** As browsers and apps send it: anything else would never be the same. */
const originPattern = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+$/;
/** How long running runs may take when the server is stopped. */
const CLOSE_MS_MAX = 10_000;
/** How many tenants are looked up when it starts. */
const LOOKED_UP_MAX = 20;

/** `turnseal serve`: agents over HTTP, until it is stopped. */
export async function runServe(
  options: ServeOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal, environment } = surroundings;
  const { bind = LOCALHOST } = options;
  if (options.insecureLocalhost === true && bind !== LOCALHOST)
    throw new RefusalError(
      `--insecure-localhost listens on ${LOCALHOST} only`,
      "turnseal serve --keys <file> --bind <address>",
    );
  const wrongOrigin = options.origin?.find((origin) => !originPattern.test(origin));
  if (wrongOrigin !== undefined)
    throw new RefusalError(
      `--origin ${wrongOrigin} is not an origin: write scheme, host and optional port, and nothing after`,
      "turnseal serve --origin https://shop.example",
    );
  const { from, host, prices, cell } = options;
  const project = accept(await loadForServing({ from, host, environment, prices }));
  const next = "export const agents = { name: { loop, grant } }";
  const served = accept(await readServed(project.paths), { next });
  const wrong = findWrongAgent(served, project);
  if (wrong !== undefined) throw new RefusalError(wrong, "turnseal check <files>");
  const people = accept(await readPeople(options, { own: served.authenticate, environment }));
  const opened = await openLive(options);
  // Without an engine, writers and watchers are all in this process.
  const own = host === undefined ? memoryLiveBus() : undefined;
  const metrics = createServerMetrics();
  const tenants = await openServedTenants({
    ...{ place: options, tenants: people.tenants, paths: project.paths },
    named: options.tenant === undefined ? undefined : [options.tenant, people.tenants].flat(),
    project: { ...project.host, ...(cell === undefined ? {} : { cell }) },
    ...{ prices, terminal, metrics, connectionsMax: options.connectionsMax },
    liveOf: (tenant) => opened.forTenant(tenant).live ?? own,
    environment,
    onFailure: (run, error) => {
      const code = isLoopError(error) ? error.code : "UNKNOWN";
      terminal.err.writeLine(renderNote(`run ${run} did not continue: ${code}`));
    },
    onBlocked: (run, { why, ...rest }) => {
      const words = describeBlocked({ cause: why, ...rest });
      const { err } = terminal;
      err.writeLine(renderNote(`run ${run} cannot continue: ${words}`));
      err.writeLine(renderNext(`turnseal explain ${shortId(run)}`));
    },
  });
  if (tenants.kind === "unusable") {
    opened.close();
    throw new RefusalError(tenants.message, tenants.next);
  }
  try {
    const pricesAsOf = project.host.prices?.asOf;
    const serving = { served, people, tenants, pricesAsOf, metrics, hasRedis: opened.isUp };
    return await listen(serving, options, surroundings);
  } finally {
    await Promise.race([tenants.close(), new Promise((late) => setTimeout(late, CLOSE_MS_MAX))]);
    opened.close();
  }
}

/** The first agent that no run could be started of, and why. */
function findWrongAgent(
  { agents }: Served,
  { registry }: Extract<ProjectLoading, { kind: "loaded" }>,
): string | undefined {
  for (const [name, { loop, ...start }] of Object.entries(agents)) {
    try {
      startMessage(registry, loop, { run: "", input: {}, start });
    } catch (error) {
      if (!isLoopError(error)) throw error;
      return `the agent ${name} cannot be started: ${error.message}`;
    }
  }
  return undefined;
}

interface Serving {
  readonly served: Served;
  readonly people: People;
  readonly tenants: ServedTenants;
  /** The date of the prices, if models are asked here. */
  readonly pricesAsOf: string | undefined;
  readonly metrics: ServerMetrics;
  readonly hasRedis: (() => boolean) | undefined;
}

async function listen(
  serving: Serving,
  options: ServeOptions,
  { terminal }: Surroundings,
): Promise<ExitCode> {
  const { served, people, tenants, metrics } = serving;
  const { port, bind = LOCALHOST, origin, cell } = options;
  const server = createServer({
    tenants: tenants.find,
    agents: served.agents,
    authenticate: people.authenticate,
    ...(origin === undefined ? {} : { origins: origin }),
    ...(cell === undefined ? {} : { cell }),
    onAnswered: metrics.onAnswered,
    onFailure: (error, { tenant, run }) => {
      const code = isLoopError(error) ? error.code : "UNKNOWN";
      const where = [tenant && `tenant ${tenant}`, run && `run ${run}`].filter(Boolean).join(", ");
      const said = `a request failed: ${code}${where === "" ? "" : ` (${where})`}`;
      terminal.err.writeLine(line(toned("bad", "error: "), said));
    },
  });
  const stop = listenForStop(undefined);
  let http: ServedHttp | undefined;
  let door: Door | undefined;
  try {
    http = await serve(server, { port, bind });
    const { metricsPort } = options;
    if (metricsPort !== undefined)
      door = await metrics.open({
        ...{ bind, port: metricsPort, countStreams: server.streamCount },
        ...{ whyUnready: tenants.whyUnready, hasRedis: serving.hasRedis },
      });
  } catch (error) {
    stop.release();
    await http?.close();
    const problem = describeListening(error);
    if (problem === undefined) throw error;
    throw new RefusalError(problem, "turnseal serve --bind <address> --port <another>");
  }
  renderServing(http, serving, options).forEach(terminal.out.writeLine);
  for (const tenant of await listUnserved(serving, options))
    terminal.err.writeLine(renderNote(`tenant ${tenant} is not in turnseal tenant list`));
  // One person's tool must not end what is served to the others.
  const strays = hearStrays((error) => {
    metrics.onStray();
    renderStray(error).forEach(terminal.err.writeLine);
  });
  const health = watchHealth({
    ...{ who: "server", whyUnready: tenants.whyUnready, hasRedis: serving.hasRedis },
    log: {
      say: (_, what, { why }) =>
        terminal.err.writeLine(renderNote(why === undefined ? what : `${what}: ${why}`)),
    },
  });
  await waitFor(stop.signal);
  stop.release();
  health.close();
  door?.close();
  await http.close();
  strays.release();
  return EXIT_CODES.done;
}

/** Tenants whose callers are refused until they are added: the first of them. */
async function listUnserved(
  { served, people, tenants }: Serving,
  { keys }: ServeOptions,
): Promise<string[]> {
  const unserved: string[] = [];
  // A function of the module decides at each request.
  if (keys === undefined && served.authenticate !== undefined) return unserved;
  for (const tenant of people.tenants.slice(0, LOOKED_UP_MAX)) {
    // If the database is away, the tenant is checked at its first request.
    const isServed = await Promise.resolve(tenants.find(tenant)).then(
      (host) => host !== undefined,
      () => true,
    );
    if (!isServed) unserved.push(tenant);
  }
  return unserved;
}

function renderServing(
  { url }: ServedHttp,
  { served, people, tenants, pricesAsOf }: Serving,
  { host, store = ".turnseal", cell }: ServeOptions,
): Line[] {
  const { resumed } = tenants;
  return [
    line(toned("good", "✓ "), `serving ${url}`),
    ...renderDetail("agents", Object.keys(served.agents).join(", ")),
    ...renderDetail("auth", people.description),
    ...renderDetail("runs", host === undefined ? `${store}, executed here` : `executed by ${host}`),
    ...renderDetail("cell", cell),
    ...renderDetail("prices", pricesAsOf && `of ${pricesAsOf}, for budgets with moneyMicros`),
    ...renderDetail("resumed", resumed === 0 ? undefined : String(resumed)),
    ...renderDetail("routes", `${url}/v1/openapi.json`),
    line("Press Ctrl-C to stop. Open runs continue at the next start."),
  ];
}
