/** Tools that leave the machine over HTTP. */
import type { TermRequest } from "@turnseal/protocol";
import { defineTool, jsonSchema, notDone } from "@turnseal/protocol/authoring";
import { htmlToText } from "./html-to-text.ts";
import { BODY_LENGTH_MAX, HEADERS_MAX, REDIRECTS_MAX, TEXT_LENGTH_MAX } from "./limits.ts";
import { type HostVerb, METHODS, type Method, needHost } from "./need-host.ts";
import {
  destinationOf,
  parseUrl,
  type Reach,
  sendRequest,
  type WebAnswer,
} from "./send-request.ts";

export interface WebToolsOptions {
  /** Hosts with a port that may have a private address, such as `intranet.example:443`. */
  readonly privateHosts?: readonly string[];
}

interface RequestInput {
  readonly url: string;
  readonly method?: Method;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface RequestOutput {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly isCut: boolean;
}

interface FetchOutput {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  readonly isCut: boolean;
  /** The place that a redirect to another host names. */
  readonly location?: string;
}

/**
 * The tools that leave the machine: `web.fetch` reads a page as text, `http.request` sends any
 * request. Each needs a term, such as `grantTerms.hosts(["docs.example.com"])`. A URL can carry
 * data out, so name the hosts.
 *
 * @example
 * const web = webTools();
 * const agent = definePrompt({ ...header, tools: [web.fetch] });
 */
export function webTools({ privateHosts = [] }: WebToolsOptions = {}) {
  const trusted = new Set(privateHosts);
  const fetch = defineTool({
    ...{ id: "web.fetch", version: "1.0.0", implementation: "web.fetch", effect: "read" },
    build: "turnseal.tools:web.fetch:1",
    description:
      "Reads a page or a text from the web, as text. It follows redirects within a host; for one " +
      "to another host it answers `location`, which you can fetch in another call.",
    input: jsonSchema<Pick<RequestInput, "url">>({
      type: "object",
      properties: { url: { type: "string" } },
      required: ["url"],
      additionalProperties: false,
    }),
    output: jsonSchema<FetchOutput>({ type: "object" }),
    needs: ({ url }) => ({ terms: [needUrl(url, "read")] }),
    run: ({ url }, { signal }) => fetchText(parseUrl(url), { signal, privateHosts: trusted }),
  });
  const request = defineTool({
    ...{ id: "http.request", version: "1.0.0", implementation: "http.request", effect: "once" },
    build: "turnseal.tools:http.request:1",
    description: "Sends one request over HTTP and answers its result. It follows no redirect.",
    irreversible: "a request that was sent cannot be called back",
    input: jsonSchema<RequestInput>({
      type: "object",
      properties: {
        url: { type: "string" },
        method: { enum: Object.keys(METHODS) },
        headers: {
          type: "object",
          maxProperties: HEADERS_MAX,
          additionalProperties: { type: "string", maxLength: 8_192 },
        },
        body: { type: "string", maxLength: BODY_LENGTH_MAX },
      },
      required: ["url"],
      additionalProperties: false,
    }),
    output: jsonSchema<RequestOutput>({ type: "object" }),
    needs: ({ url, method = "GET" }) => ({ terms: [needUrl(url, METHODS[method])] }),
    run: async ({ url, method = "GET", headers = {}, body }, { signal, key }) => {
      checkHeaders(headers);
      const sent = { ...headers, "idempotency-key": key };
      const asked = {
        url: parseUrl(url),
        method,
        headers: sent,
        ...(body !== undefined && { body }),
      };
      const answer = await sendRequest(asked, { signal, privateHosts: trusted });
      const { status, headers: got } = answer;
      return { status, headers: got, ...toText(answer) };
    },
  });
  return { fetch, request };
}

/** A URL that cannot be parsed names no destination: the tool refuses it. */
function needUrl(url: string, verb: HostVerb): TermRequest {
  const parsed = URL.parse(url);
  return needHost(parsed === null ? undefined : destinationOf(parsed), verb);
}

/** Headers that say how a message is framed, or where it goes, are those of the tool. */
const OWN_HEADERS = new Set([
  ...["host", "connection", "content-length", "transfer-encoding", "te", "trailer", "upgrade"],
  ...["expect", "keep-alive", "accept-encoding", "idempotency-key"],
]);

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (OWN_HEADERS.has(lower) || lower.startsWith("proxy-"))
      throw notDone(`the header ${name} is set by the tool`);
    if (!/^[\w-]+$/.test(name) || /[^\t\x20-\x7e]/.test(value))
      throw notDone("a header is refused: its name or its value has a character that none has");
  }
}

async function fetchText(first: URL, reach: Reach): Promise<FetchOutput> {
  let url = first;
  for (let redirects = 0; ; redirects++) {
    const headers = { accept: "text/html, text/*;q=0.9, application/json;q=0.8" };
    const answer = await sendRequest({ url, method: "GET", headers }, reach);
    const { location } = answer.headers;
    const next = isRedirect(answer) ? URL.parse(location ?? "", url.href) : null;
    if (next === null) return { url: url.href, status: answer.status, ...toText(answer) };
    // The grant allowed one host. Another one is another call, which it decides about.
    if (destinationOf(next) !== destinationOf(first) || next.protocol !== first.protocol)
      return { url: url.href, status: answer.status, text: "", isCut: false, location: next.href };
    if (redirects >= REDIRECTS_MAX)
      throw notDone(`the page redirects more than ${REDIRECTS_MAX} times`);
    url = parseUrl(next.href);
  }
}

function isRedirect({ status, headers }: WebAnswer): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headers["location"] !== undefined;
}

function toText({ headers, bytes, isCut }: WebAnswer) {
  const type = headers["content-type"] ?? "";
  if (type !== "" && !/^text\/|[/+](json|xml|javascript)\b/i.test(type))
    return { text: `(${bytes.length} bytes of ${type.slice(0, 100)})`, isCut };
  const whole = bytes.toString("utf8");
  const text = /html/i.test(type) ? htmlToText(whole) : whole;
  return {
    text: text.slice(0, TEXT_LENGTH_MAX).toWellFormed(),
    isCut: isCut || text.length > TEXT_LENGTH_MAX,
  };
}
