/** The settings of an engine's server, as its configuration file has them. */
import { join } from "node:path";
import { KEEP_ALIVE_MS } from "./keep-alive.ts";

export interface EnginePorts {
  readonly ingress: number;
  readonly admin: number;
  readonly node: number;
}

export interface ClusterMember {
  readonly name: string;
  /** The ports on which the nodes of the cluster find each other, this one included. */
  readonly nodes: readonly number[];
  /** True for the one node that sets the cluster up. */
  readonly isFirst: boolean;
}

export interface EngineSettings {
  readonly folder: string;
  readonly ports: EnginePorts;
  /** The file with what it signs its requests with. */
  readonly identity: string;
  /** More settings of how it calls workers, line by line. */
  readonly invoker?: readonly string[];
  /** Where it is one of several nodes. */
  readonly member?: ClusterMember;
}

/**
 * How many messages of one partition are with workers at once. Many more than there are slots:
 * which of them goes first is for the workers to decide, and the engine knows nothing of tenants.
 */
const INVOCATIONS_MAX = 256;

export function renderEngineConfig(settings: EngineSettings): string {
  const { folder, identity, invoker = [], member } = settings;
  const { ingress, admin, node } = settings.ports;
  const keepAlive = `${KEEP_ALIVE_MS / 1_000}s`;
  return [
    'roles = ["http-ingress", "admin", "worker", "log-server", "metadata-server"]',
    'cluster-name = "turnseal-dev"',
    `node-name = ${JSON.stringify(member?.name ?? "dev")}`,
    `base-dir = ${JSON.stringify(join(folder, "data"))}`,
    'listen-mode = "tcp"',
    'bind-ip = "127.0.0.1"',
    `bind-port = ${node}`,
    `advertised-address = "http://127.0.0.1:${node}/"`,
    `auto-provision = ${member?.isFirst ?? true}`,
    "default-num-partitions = 8",
    "disable-telemetry = true",
    'rocksdb-total-memory-size = "512 MiB"',
    ...(member === undefined ? [] : renderCluster(member)),
    "[worker.invoker]",
    `request-identity-private-key-pem-file = ${JSON.stringify(identity)}`,
    `concurrent-invocations-limit = ${INVOCATIONS_MAX}`,
    `http2-keep-alive-interval = "${keepAlive}"`,
    `http2-keep-alive-timeout = "${keepAlive}"`,
    ...invoker,
    "[ingress]",
    `bind-address = "127.0.0.1:${ingress}"`,
    "[admin]",
    `bind-address = "127.0.0.1:${admin}"`,
    "disable-web-ui = true",
    "",
  ].join("\n");
}

/** Snapshots need an object store: without one a node that lost its data cannot catch up. */
function renderCluster({ nodes }: ClusterMember): string[] {
  const addresses = nodes.map((port) => `http://127.0.0.1:${port}/`);
  return [
    "default-replication = 2",
    "[metadata-client]",
    'type = "replicated"',
    `addresses = ${JSON.stringify(addresses)}`,
    "[bifrost]",
    'default-provider = "replicated"',
  ];
}
