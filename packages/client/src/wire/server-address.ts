/** The address of a server, and the caller's identity. */
export interface ServerPlace {
  /** The server's own address, with a path before `/v1` where it has one. */
  readonly url: string;
  /** Sent as a bearer token; a function is called for each request, so that a token can expire. */
  readonly token?: string | (() => string | Promise<string>);
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
}

/** The address of a run, and the caller's identity. */
export interface ServerAddress extends ServerPlace {
  readonly run: string;
}

export interface ServerRequest {
  /** After the run's own address. */
  readonly path: string;
  readonly init: RequestInit;
}

/** One request about the run. */
export function requestRun(
  address: ServerAddress,
  { path, init }: ServerRequest,
): Promise<Response> {
  return requestServer(address, `runs/${encodeURIComponent(address.run)}/${path}`, init);
}

/** One request, to a path after `/v1/`. */
export async function requestServer(
  { url, token, headers, fetch = globalThis.fetch }: ServerPlace,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const bearer = typeof token === "function" ? await token() : token;
  return fetch(`${url.replace(/\/$/, "")}/v1/${path}`, {
    ...init,
    headers: {
      ...headers,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(init.headers as Readonly<Record<string, string>>),
    },
  });
}
