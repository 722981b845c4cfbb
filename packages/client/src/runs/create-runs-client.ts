/**
 * The runs of a server: start one, list the visible ones, and those that wait for a decision of
 * this person.
 *
 * A server's answer is used for display, so only its outline is checked.
 */
import type { JsonValue } from "@turnseal/protocol";
import type { OpenRequest } from "../session/session-state.ts";
import { requestServer, type ServerPlace } from "../wire/server-address.ts";
import { readRefusal, type ServerRefusal } from "../wire/server-refusal.ts";

/** Milliseconds that one request may take. */
export const REQUEST_MS_MAX = 30_000;

export interface RunsClient {
  /** Starts a run of an agent and answers with its id. The same key starts it once. */
  start(request: StartRequest): Promise<RunsAnswer<{ readonly run: string }>>;
  /**
   * Makes the run's provider be asked again. Where that repeats actions (`repeats` of the
   * provider), `again` has to say so.
   */
  retry(run: string, options?: RetryOptions): Promise<RunsAnswer<{ readonly status: string }>>;
  /** Ends a run; what it has done is sealed. */
  cancel(run: string): Promise<RunsAnswer<{ readonly status: string }>>;
  /** The runs that the caller started; for operators, those of everybody. */
  list(options?: ListOptions): Promise<RunsAnswer<Page<"runs", ListedRun>>>;
  /** Approvals and questions that the caller may decide. */
  inbox(options?: InboxOptions): Promise<RunsAnswer<Page<"requests", InboxRequest>>>;
}

export type RunsAnswer<Value> =
  | { readonly kind: "answered"; readonly value: Value }
  | { readonly kind: "refused"; readonly refusal: ServerRefusal }
  /** A start may have arrived: the same with the same key can be sent again. */
  | { readonly kind: "unreachable" };

/** One page: later rows are on another, after `next`; null is the last page. */
export type Page<Name extends string, Row> = { readonly [Each in Name]: readonly Row[] } & {
  readonly next: string | null;
  /** Cells that did not answer the router, and are missing in the list. */
  readonly missing?: readonly string[];
};

export interface StartRequest {
  readonly agent: string;
  readonly input: JsonValue;
  readonly key?: string;
}

export interface RetryOptions {
  readonly again?: boolean;
}

export interface InboxOptions {
  readonly after?: string;
  readonly limit?: number;
}

export interface ListOptions extends InboxOptions {
  readonly state?: ListedRun["status"];
  readonly loop?: string;
  /** ISO 8601: started at this time or later. */
  readonly since?: string;
  /** The person who started it; for operators, any person. */
  readonly by?: string;
}

export interface ListedRun {
  readonly run: string;
  readonly loop: string;
  readonly version: string;
  readonly status: "running" | "waiting" | "done";
  /** Why it has stopped. */
  readonly stopped?: string;
  readonly startedAt: string | null;
  readonly startedBy: string | null;
  readonly changedAt: string | null;
  readonly turns: number;
  /** The number of waiting approvals and questions. */
  readonly requests: number;
}

export interface InboxRequest extends OpenRequest {
  readonly run: string;
  readonly loop: string;
}

/**
 * @example
 * const runs = createRunsClient({ url, token });
 * const started = await runs.start({ agent: "support", input: { text: "hello" } });
 */
export function createRunsClient(place: ServerPlace): RunsClient {
  const tell = (run: string, what: string, body: object) =>
    ask<{ readonly status: string }>(
      place,
      `runs/${encodeURIComponent(run)}/${what}`,
      toPost(body),
      (value) => typeof value["status"] === "string",
    );
  return {
    start: (request) =>
      ask(place, "runs", toPost(request), (value) => typeof value["run"] === "string"),
    retry: (run, options = {}) => tell(run, "retry", options),
    cancel: (run) => tell(run, "cancel", {}),
    list: (options = {}) =>
      ask(place, `runs${toQuery(options)}`, {}, (value) => Array.isArray(value["runs"])),
    inbox: (options = {}) =>
      ask(place, `inbox${toQuery(options)}`, {}, (value) => Array.isArray(value["requests"])),
  };
}

function toPost(body: object): RequestInit {
  const headers = { "content-type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body) };
}

function toQuery(options: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options))
    if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? "" : `?${query}`;
}

async function ask<Value>(
  place: ServerPlace,
  path: string,
  init: RequestInit,
  isWhole: (value: Readonly<Record<string, unknown>>) => boolean,
): Promise<RunsAnswer<Value>> {
  try {
    const signal = AbortSignal.timeout(REQUEST_MS_MAX);
    const response = await requestServer(place, path, { ...init, signal });
    if (!response.ok) return { kind: "refused", refusal: await readRefusal(response) };
    const value: unknown = await response.json();
    const isOurs = typeof value === "object" && value !== null && isWhole({ ...value });
    return isOurs ? { kind: "answered", value: value as Value } : { kind: "unreachable" };
  } catch {
    return { kind: "unreachable" };
  }
}
