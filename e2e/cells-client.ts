/** Clients of cells: what the tests of a router send, and read. */
import { createHash } from "node:crypto";

export const KEYS = { ada: "key-of-ada", bob: "key-of-bob" } as const;

/** The file of keys of each cell: the same people everywhere. */
export const KEYS_FILE = JSON.stringify({
  keys: Object.entries(KEYS).map(([id, key]) => ({
    sha256: createHash("sha256").update(key).digest("hex"),
    tenant: "default",
    id,
    roles: id === "bob" ? ["operator"] : [],
  })),
});

export interface Said {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

/** One client of a router: everything as the person of the key. */
export function createClient(url: string, key: string = KEYS.ada) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const ask = async (path: string, init: RequestInit = {}): Promise<Said> => {
    const response = await fetch(`${url}/v1/${path}`, { headers, ...init });
    const text = await response.text();
    return { status: response.status, json: text === "" ? {} : JSON.parse(text) };
  };
  const post = (path: string, body: object) =>
    ask(path, { method: "POST", body: JSON.stringify(body) });
  return {
    ask,
    post,
    start: async (agent: string, input: object, name?: string): Promise<string> => {
      const named = name === undefined ? {} : { key: name };
      const { status, json } = await post("runs", { agent, input, ...named });
      if (status !== 201) throw new Error(`not started: ${JSON.stringify(json)}`);
      return String(json["run"]);
    },
    /** Reads a stream until a text has come. */
    readUntil: async (path: string, wanted: string): Promise<string> => {
      const gone = new AbortController();
      const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(30_000)]);
      const response = await fetch(`${url}/v1/${path}`, { headers, signal });
      let text = "";
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        if (text.includes(wanted)) break;
      }
      gone.abort();
      return text;
    },
    /** Every run that the list has, page by page, and what was missing. */
    listAll: async (limit: number) => {
      const [runs, missing]: [string[], Set<string>] = [[], new Set()];
      let after: unknown;
      do {
        const query = after === undefined ? "" : `&after=${String(after)}`;
        const { status, json } = await ask(`runs?limit=${limit}${query}`);
        if (status !== 200) throw new Error(`no list: ${JSON.stringify(json)}`);
        for (const row of json["runs"] as { run: string }[]) runs.push(row.run);
        for (const name of json["missing"] as string[]) missing.add(name);
        after = json["next"];
      } while (after !== null);
      return { runs, missing: [...missing] };
    },
  };
}

/** The code of a refusal. */
export function codeOf({ json }: Said): unknown {
  return (json["error"] as { code?: unknown } | undefined)?.code;
}
