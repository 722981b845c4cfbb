/** The engine of a proof: one node, or three that keep everything twice. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Engine, type EnginePorts, freePorts, startRestate } from "../engine/start-restate.ts";

export interface Nodes {
  /** Where nodes that are up take messages. */
  ingresses(): readonly string[];
  register(uri: string): Promise<void>;
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  pids(): readonly number[];
  readonly count: number;
  kill(node: number): Promise<void>;
  start(node: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A worker that is frozen is noticed by pings. Few streams on a connection, so that the connections
 * of the engine spread over the workers behind one address.
 */
const invoker = [
  'http2-keep-alive-interval = "5s"',
  'http2-keep-alive-timeout = "5s"',
  "http2-streams-per-connection-limit = 4",
];

export async function startNodes(folder: string, count: 1 | 3, pem: string): Promise<Nodes> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "identity.pem");
  writeFileSync(file, pem, { mode: 0o600 });
  const signed = `request-identity-private-key-pem-file = ${JSON.stringify(file)}`;
  const ports: EnginePorts[] = [];
  for (let node = 0; node < count; node++) ports.push(await freePorts());
  const start = (node: number): Promise<Engine> => {
    const own = ports[node];
    if (own === undefined) throw new Error(`there is no node ${node}`);
    const member = {
      name: `n${node + 1}`,
      nodes: ports.map((each) => each.node),
      isFirst: node === 0,
    };
    return startRestate({
      folder: join(folder, `n${node + 1}`),
      ports: own,
      invoker: [...invoker, signed],
      ...(count === 1 ? {} : { member }),
    });
  };
  // Together: a node of a cluster is ready only when there are enough of them.
  const engines = await Promise.all(ports.map((_, node) => start(node)));
  const isUp = ({ process: child }: Engine) => child.exitCode === null && child.signalCode === null;
  const anyUp = (): Engine => {
    const engine = engines.find(isUp);
    if (engine === undefined) throw new Error("no node of the engine is up");
    return engine;
  };
  return {
    count,
    ingresses: () => engines.filter(isUp).map(({ ingress }) => ingress),
    register: (uri) => anyUp().register(uri),
    query: (sql) => anyUp().query(sql),
    pids: () => engines.map((engine) => engine.process.pid ?? 0),
    kill: async (node) => engines[node]?.stop("SIGKILL"),
    start: async (node) => {
      engines[node] = await start(node);
    },
    stop: async () => {
      await Promise.all(engines.map((engine) => engine.stop("SIGKILL")));
    },
  };
}
