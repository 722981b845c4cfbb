/** The engine of a proof: one node, or three that keep everything twice. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createEngineAdmin,
  type Engine,
  type EngineAdmin,
  type EnginePorts,
  findEnginePorts,
  startEngine,
} from "@turnseal/runtime/engine";

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
 * Few streams on a connection, so that the connections of the engine spread over the workers behind
 * one address.
 */
const invoker = ["http2-streams-per-connection-limit = 4"];

export async function startNodes(folder: string, count: 1 | 3, pem: string): Promise<Nodes> {
  const ports: EnginePorts[] = [];
  for (let node = 0; node < count; node++) ports.push(await findEnginePorts());
  // All of them are one engine to the workers.
  for (const [node] of ports.entries()) {
    mkdirSync(folderOf(folder, node), { recursive: true });
    writeFileSync(join(folderOf(folder, node), "identity.pem"), pem, { mode: 0o600 });
  }
  const start = (node: number): Promise<Engine> => {
    const own = ports[node];
    if (own === undefined) throw new Error(`there is no node ${node}`);
    const member = {
      name: `n${node + 1}`,
      nodes: ports.map((each) => each.node),
      isFirst: node === 0,
    };
    return startEngine({
      ...{ folder: folderOf(folder, node), ports: own, invoker },
      ...(count === 1 ? {} : { member }),
    });
  };
  // Together: a node of a cluster is ready only when there are enough of them.
  const engines = await Promise.all(ports.map((_, node) => start(node)));
  const isUp = (engine: Engine) => engine.isUp();
  const anyUp = (): EngineAdmin => {
    const engine = engines.find(isUp);
    if (engine === undefined) throw new Error("no node of the engine is up");
    return createEngineAdmin(engine.admin);
  };
  return {
    count,
    ingresses: () => engines.filter(isUp).map(({ ingress }) => ingress),
    register: (uri) => anyUp().register(uri),
    query: (sql) => anyUp().query(sql),
    pids: () => engines.map(({ pid }) => pid),
    kill: async (node) => engines[node]?.kill(),
    start: async (node) => {
      engines[node] = await start(node);
    },
    stop: async () => {
      await Promise.all(engines.map((engine) => engine.kill()));
    },
  };
}

function folderOf(folder: string, node: number): string {
  return join(folder, `n${node + 1}`);
}
