/** What is asked of an engine's own administration, which only operators can reach. */

export interface EngineAdmin {
  /** Says where the runs are served. Said again, it changes nothing. */
  register(uri: string): Promise<void>;
  /** Asks something that every partition has to answer: health alone is green before they can. */
  hasLeaders(): Promise<boolean>;
  /** Asks its own tables. */
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
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
  return {
    register: async (uri) => {
      const response = await post("/deployments", { uri, force: true });
      if (!response.ok)
        throw new Error(
          `the engine did not accept ${uri}: ${response.status} ${await codeOf(response)}`,
        );
    },
    hasLeaders: async () => {
      try {
        // Rows are only of runs that are being carried: few, however many there are.
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

/** The engine's own name for what is wrong, such as META0003. */
async function codeOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  const code: unknown = Reflect.get(Object(body), "restate_code");
  return typeof code === "string" ? code : "";
}
