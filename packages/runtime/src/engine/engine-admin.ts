/** Requests to an engine's own administration, which only operators can reach. */

export interface EngineAdmin {
  /** Makes this address the one for new requests to its services. */
  register(uri: string): Promise<void>;
  /** Lists the services at an address, as the engine sees them; it changes nothing. */
  discover(uri: string): Promise<readonly EngineTarget[]>;
  /** Makes an address known; what is known stays as it is. */
  add(uri: string): Promise<void>;
  /** Where a service goes now; undefined if there is none of that name. */
  findService(name: string): Promise<EngineTarget | undefined>;
  listDeployments(): Promise<readonly EngineDeployment[]>;
  /** Forgets an address: running requests there are lost. */
  remove(deployment: string): Promise<void>;
  /** Asks something that every partition has to answer: health alone is green before they can. */
  hasLeaders(): Promise<boolean>;
  /** Asks its own tables. */
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

export interface EngineTarget {
  readonly name: string;
  readonly deployment: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface EngineDeployment {
  readonly id: string;
  /** Without a slash at its end. */
  readonly uri: string;
}

const ANSWER_MS_MAX = 5_000;

export function createEngineAdmin(address: string): EngineAdmin {
  const post = async (path: string, body: object): Promise<Response> =>
    fetch(`${address}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
  const ask = async (method: "GET" | "DELETE", path: string): Promise<Response> =>
    fetch(`${address}${path}`, { method, signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  const deploy = async (uri: string, how: object): Promise<readonly EngineTarget[]> => {
    const response = await post("/deployments", { uri, ...how });
    if (!response.ok)
      throw new Error(
        `the engine did not accept ${uri}: ${response.status} ${await codeOf(response)}`,
      );
    const { services = [] } = (await response.json()) as { services?: RawTarget[] };
    return services.map(readService);
  };
  return {
    register: async (uri) => {
      await deploy(uri, { force: true });
    },
    discover: (uri) => deploy(uri, { dry_run: true, force: true }),
    add: async (uri) => {
      await deploy(uri, {});
    },
    findService: async (name) => {
      const response = await ask("GET", `/services/${name}`);
      if (response.status === 404) return undefined;
      if (!response.ok) throw new Error(`the engine did not answer: ${response.status}`);
      return readService((await response.json()) as RawTarget);
    },
    listDeployments: async () => {
      const response = await ask("GET", "/deployments");
      if (!response.ok) throw new Error(`the engine did not answer: ${response.status}`);
      const { deployments } = (await response.json()) as { deployments: EngineDeployment[] };
      return deployments.map(({ id, uri }) => ({ id, uri: uri.replace(/\/$/, "") }));
    },
    remove: async (deployment) => {
      const response = await ask("DELETE", `/deployments/${deployment}?force=true`);
      if (!response.ok && response.status !== 404)
        throw new Error(`the engine did not remove ${deployment}: ${response.status}`);
    },
    hasLeaders: async () => {
      try {
        // Only runs in progress have rows: few, among any number of runs.
        const query = "select count(*) as locked from sys_keyed_service_status";
        return (await post("/query", { query })).ok;
      } catch {
        return false;
      }
    },
    query: async (query) => {
      const response = await post("/query", { query });
      if (!response.ok) throw new Error(`the engine did not answer: ${response.status}`);
      const { rows = [] } = (await response.json()) as { rows?: Record<string, unknown>[] };
      return rows;
    },
  };
}

interface RawTarget {
  readonly name: string;
  readonly deployment_id: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

function readService({ name, deployment_id, metadata = {} }: RawTarget): EngineTarget {
  return { name, deployment: deployment_id, metadata };
}

/** The engine's own name for what is wrong, such as META0003. */
async function codeOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  const code: unknown = Reflect.get(Object(body), "restate_code");
  return typeof code === "string" ? code : "";
}
