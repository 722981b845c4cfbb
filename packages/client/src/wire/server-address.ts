/** Where a run is, and as whom one asks for it. */
export interface ServerAddress {
  /** The server's own address, with a path before `/v1` where it has one. */
  readonly url: string;
  readonly run: string;
  /** Sent as a bearer token; a function is asked for each request, so that a token can expire. */
  readonly token?: string | (() => string | Promise<string>);
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
}

export interface ServerRequest {
  /** After the run's own address. */
  readonly path: string;
  readonly init: RequestInit;
}

/** One request about the run. */
export async function requestRun(
  { url, run, token, headers, fetch = globalThis.fetch }: ServerAddress,
  { path, init }: ServerRequest,
): Promise<Response> {
  const bearer = typeof token === "function" ? await token() : token;
  return fetch(`${url.replace(/\/$/, "")}/v1/runs/${encodeURIComponent(run)}/${path}`, {
    ...init,
    headers: {
      ...headers,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(init.headers as Readonly<Record<string, string>>),
    },
  });
}
